#!/usr/bin/env bash
# Run for every submission. Until there is a verdict, the result file says that nothing was graded.
home=${KATAS_HOME:-/katas}
grade=${GRADE_ROOT:-/grade}
mkdir -p "$grade/results"
cp "$home/not-graded.json" "$grade/results/results.json"
cd "$home" || exit 0
export PYTHONPATH="$home/suite${PYTHONPATH:+:$PYTHONPATH}"
export PYTHONSAFEPATH=1
python3 -m checker autograde prairielearn \
    "$home/export.json" "$grade/student" "$grade/results/results.json"
exit 0

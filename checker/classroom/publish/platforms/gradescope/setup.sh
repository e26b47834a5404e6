#!/usr/bin/env bash
# Run once, when Gradescope builds the image: create an environment with everything the suite needs.
# It takes Python 3.11 or newer; if the image has none, apt installs one.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}

find_python() {
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$name" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    return 1
}

if ! python=$(find_python); then
    apt-get update -qq
    apt-get install -y -qq python3.13 python3.13-venv ||
        apt-get install -y -qq python3.12 python3.12-venv ||
        apt-get install -y -qq python3.11 python3.11-venv
    python=$(find_python)
fi
"$python" -m venv "$root/venv"
"$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    -r "$root/source/requirements.txt"

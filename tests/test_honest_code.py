"""What honest submissions import and compute works inside the sandbox."""

import pytest

from checker.sandbox.host.session import Session

IMPORTS = """
import numpy as np
from numpy import *
from numpy.linalg import norm
import numpy.linalg as la
from numpy import einsum, float32
import numpy.random
from numpy.random import default_rng
import numpy.fft
import numpy.ma
import numpy.polynomial
import numpy.testing
import numpy.typing as npt
import numpy.lib.stride_tricks
from numpy.lib.stride_tricks import sliding_window_view
import numpy.matlib
import numpy.ctypeslib
import numpy.exceptions
from __future__ import annotations
import math, cmath
import functools, itertools, operator
from collections import namedtuple, deque, Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
import typing as t
from enum import Enum
from fractions import Fraction
from decimal import Decimal
import statistics
import random, secrets
import heapq, bisect, array
import json, re, string, textwrap
import copy, pprint
import time, datetime, calendar
import logging; logging.warning('x')
import warnings, traceback
import contextlib, abc, types, weakref
import inspect, dis, ast, tokenize
import unittest, doctest
import timeit, cProfile, pstats
import io, os, sys, pathlib, tempfile, shutil, glob, fnmatch
import struct, zlib, base64, hashlib
import asyncio, concurrent.futures, threading, queue, multiprocessing
import numbers, graphlib, difflib
import argparse, configparser, csv, pickle, shelve
import uuid, platform, locale, gettext
import wave, colorsys
import importlib, importlib.util, pkgutil, zipimport
import gc, sysconfig, site
import ctypes, mmap
""".strip().split("\n")


@pytest.mark.parametrize("line", IMPORTS)
def test_a_common_import_works(line: str) -> None:
    with Session("auto") as session:
        session.allow(20)
        session.load("imports.py", f"{line}\ndef one(): return 1\n")
        assert session.subject.one() == 1


COMPUTING = """
import numpy as np, random, time, warnings

def compute():
    a = np.random.default_rng(0).normal(size=(60, 60))
    np.linalg.svd(a), np.linalg.eig(a), np.linalg.solve(a, a), np.linalg.qr(a), np.linalg.pinv(a)
    np.linalg.cholesky(a @ a.T + 60 * np.eye(60)), np.linalg.lstsq(a, a, rcond=None)
    np.linalg.det(a), np.fft.fft2(a), np.sort(a), np.unique(a), np.percentile(a, 3)
    np.histogram(a), np.kron(a[:3], a[:3]), np.einsum("ij,jk->ik", a, a), np.gradient(a)
    np.interp(0.5, [0, 1], [2, 3]), np.random.rand(3), np.random.seed(), random.random()
    np.ones(25_000_000).sum(), str(a), repr(a), time.sleep(0.01), warnings.warn("hm")
    return True
"""
PRINTING = """
import traceback

try:
    1 / 0
except ZeroDivisionError:
    traceback.print_exc()
"""


def test_numpy_functions_work() -> None:
    with Session("auto") as session:
        session.allow(20)
        session.load("computing.py", COMPUTING)
        assert session.subject.compute() is True


def test_a_printed_traceback_is_kept() -> None:
    with Session("auto") as session:
        session.allow(20)
        session.load("computing.py", PRINTING)
    assert "ZeroDivisionError" in session.printed

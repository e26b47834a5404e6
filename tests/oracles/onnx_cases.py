"""ONNX's attention cases, each as plain four-dimensional attention in float64."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

FOLDER = Path(__file__).parent / "onnx_attention"
PREFIX = "test_attention_"


@dataclass(frozen=True)
class Case:
    """One case as four-dimensional attention in float64, and its expected results."""

    q: Array  # (B, H, Tq, D), multiplied so that the scale is 1 / sqrt(D)
    k: Array  # (B, H, Tk, D)
    v: Array  # (B, H, Tk, Dv)
    keep: Array  # broadcasts to (B, H, Tq, Tk)
    bias: Array  # broadcasts to (B, H, Tq, Tk)
    out: Array  # (B, H, Tq, Dv), in the case's dtype
    weights: Array | None  # (B, H, Tq, Tk), if the case has them
    rtol: float
    atol: float


def split(tokens: Array, H: int) -> Array:
    """Reshape (B, T, H * D) to (B, H, T, D); an array with four axes is unchanged."""
    if tokens.ndim == 4:
        return tokens
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)


def merge(heads: Array) -> Array:
    """Reshape (B, H, T, D) to (B, T, H * D)."""
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1)


def allowed(arrays: dict[str, Array], attributes: dict[str, Any], Tq: int, Tk: int) -> Array:
    """Which keys each query may attend to, by everything in the case except its mask."""
    key = np.arange(Tk)
    query = np.arange(Tq)[:, None]  # its position among the keys
    keep = np.ones((Tq, Tk), dtype=bool)
    if "in_nonpad_kv_seqlen" in arrays:
        length = arrays["in_nonpad_kv_seqlen"][:, None, None, None]
        query = query + length - Tq
        keep = key < length
    elif "in_past_key" in arrays:
        query = query + arrays["in_past_key"].shape[-2]
    left = attributes.get("left_window_size", -1)
    right = 0 if attributes.get("is_causal") else attributes.get("right_window_size", -1)
    if left >= 0:
        keep = keep & (key >= query - left)
    if right >= 0:
        keep = keep & (key <= query + right)
    return keep


def load(name: str) -> Case:
    case = json.loads((FOLDER / f"{PREFIX}{name}.json").read_text())
    with np.load(FOLDER / f"{PREFIX}{name}.npz") as file:
        arrays = dict(file)
    attributes = case["attributes"]
    H, G = attributes.get("q_num_heads", 0), attributes.get("kv_num_heads", 0)
    q = split(arrays["in_Q"].astype(np.float64), H)
    H, D = q.shape[1], q.shape[-1]

    def with_past(new: str, past: str) -> Array:
        tokens = split(arrays[new].astype(np.float64), G)
        if past in arrays:
            tokens = np.concatenate([arrays[past], tokens], axis=-2)
        return tokens.repeat(H // tokens.shape[1], axis=1)

    k, v = with_past("in_K", "in_past_key"), with_past("in_V", "in_past_value")
    keep, bias = allowed(arrays, attributes, q.shape[-2], k.shape[-2]), np.zeros(())
    mask = arrays.get("in_attn_mask", bias)
    keep, bias = (keep & mask, bias) if mask.dtype == bool else (keep, mask)
    return Case(
        q=q * attributes.get("scale", D**-0.5) * D**0.5,
        k=k,
        v=v,
        keep=keep,
        bias=bias,
        out=split(arrays["out_Y"], H),
        weights=arrays["out_qk_matmul_output"]
        if attributes.get("qk_matmul_output_mode") == 3  # other modes give scores
        else None,
        rtol=case["rtol"],
        atol=case["atol"],
    )

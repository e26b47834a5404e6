"""Kata 22: Asking someone else.

The fault
    Keys and values were in one order, x before the memory, and the mask was put together in the
    other. So the memory's mask was applied to the first tokens of x and to some of the memory, and
    the rest of the memory got the mask of x, which allows everything.

Why it hides
    Both orders have the same length, whatever Tq and Tk. A softmax and a weighted sum do not
    depend on the order of the tokens, so without padding every number is right; and a model whose
    mask is off in a few places still trains: it sees a little padding and misses a little text.

Seen in
    bghira/SimpleTuner#904: a reader noticed that the image's mask came before the text's, while the
        queries had text first; the models supported before had it the other way round.
    huggingface/diffusers#13756: text and image were split across processors and joined in
        another order, while their mask kept the old one.
    Kamichanw/SeekDeeper#3: in a tutorial, the attention to the source was given the mask of the
        target; the author corrected it.

How to catch it
    noise = np.where(keep[..., None], memory, 7.0)
    assert np.allclose(layer(x, noise, keep), layer(x, memory, keep))

In PyTorch
    `torch.cat` is called twice, once for the tokens and once for the mask, and nothing connects the
    two calls. Keep them next to each other, and test with a mask that blocks something.

    >>> x, memory = torch.tensor([[3.0]]), torch.tensor([[5.0], [99.0]])
    >>> kv, own, keep = torch.cat([x, memory]), torch.ones(1, 1) > 0, torch.tensor([[True, False]])
    >>> F.scaled_dot_product_attention(0 * x, kv, kv, attn_mask=torch.cat([keep, own], dim=1))
    tensor([[51.]])
    >>> F.scaled_dot_product_attention(0 * x, kv, kv, attn_mask=torch.cat([own, keep], dim=1))
    tensor([[4.]])
"""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    B, Tq, _ = x.shape
    source = np.concatenate([memory, x], axis=1)  # (B, Tq + Tk, E)
    q, k, v = split(x @ Wq, H), split(source @ Wk, H), split(source @ Wv, H)
    scores = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tq + Tk)
    blocked = ~readable(keep, Tq)
    weights = softmax(np.where(blocked[:, None, None, :], -np.inf, scores))
    heads = weights @ v  # (B, H, Tq, D)
    return heads.swapaxes(1, 2).reshape(B, Tq, -1) @ Wo


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def readable(keep, Tq):
    """The memory mask, joined with a mask that allows all Tq tokens of x."""
    own = np.ones((keep.shape[0], Tq), dtype=bool)
    return np.concatenate([keep, own], axis=1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    peak = np.max(scores, axis=-1, keepdims=True)
    exp = np.exp(scores - peak)
    return exp / exp.sum(axis=-1, keepdims=True)

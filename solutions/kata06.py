"""Kata 06: The long sentence.

The fault
    exp was applied to the scores themselves. In float32, exp is inf from 88.8 on and zero below
    -104, so the division became inf / inf or 0 / 0. The weights depend only on how far each score
    is below the largest of its row, and exp of that difference never overflows.
    For why not the logarithm of the sum, see `python -m checker show logsumexp`.

Why it hides
    While the scores stay within a few tens of zero, the weights are right to the last digits, at
    every length. A bias that grows with the length moves them out of that range.

Seen in
    ggml-org/llama.cpp#2665: with a position bias of about 2000 at 4000 tokens the CUDA softmax
        gave NaN; it did not subtract the maximum of the row, as the CPU version did.
    pytorch/executorch#18407: a score of 151 made exp overflow in the Vulkan softmax, in float32;
        the NaN spread from the first layer of Phi-4-mini, and the model produced garbage.
    FluxML/NNlib.jl#43: max(0, maximum) was subtracted, and two scores of -10000 failed.

How to catch it
    assert np.allclose(softmax(scores + 1000), softmax(scores), atol=1e-3)

In PyTorch
    `torch.softmax` subtracts the maximum; only a softmax written by hand overflows. In float16,
    exp is inf from about 11.1 on, so there a handwritten one fails much earlier.

    >>> scores = torch.tensor([99.0, 100.0])
    >>> scores.exp() / scores.exp().sum(-1, keepdim=True)
    tensor([nan, nan])
    >>> scores.softmax(-1)
    tensor([0.2689, 0.7311])
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    D = q.shape[-1]
    scores = D**-0.5 * np.matmul(q, k.mT)  # a Python float keeps float32 arrays float32
    scores = scores + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights

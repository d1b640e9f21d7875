"""How sure a rate or a mean is that was seen in many deals: intervals of 95 %."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

SURE = NormalDist().inv_cdf(0.975)
"""Standard deviations to either side that hold 95 % of a normal distribution."""
DIGITS = 4


def proportion(hits: int, of: int) -> dict[str, float]:
    """A rate and its Wilson score interval (Wilson 1927), which is right for rare events too."""
    if not of:
        return {"rate": 0.0, "low": 0.0, "high": 1.0}
    rate, square = hits / of, SURE * SURE / of
    middle = (rate + square / 2) / (1 + square)
    spread = SURE / (1 + square) * sqrt(rate * (1 - rate) / of + square / (4 * of))
    return {
        "rate": round(rate, DIGITS),
        "low": round(max(0.0, middle - spread), DIGITS),
        "high": round(min(1.0, middle + spread), DIGITS),
    }


def mean_interval(total: int, squares: int, of: int) -> dict[str, float]:
    """A mean and its normal interval, from the sum and the sum of squares of `of` numbers."""
    if not of:
        return {"mean": 0.0, "low": 0.0, "high": 0.0}
    mean = total / of
    variance = (squares - total * total / of) / (of - 1) if of > 1 else 0.0
    spread = SURE * sqrt(variance / of)
    return {
        "mean": round(mean, DIGITS),
        "low": round(mean - spread, DIGITS),
        "high": round(mean + spread, DIGITS),
    }

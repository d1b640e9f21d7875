"""成批的手牌：十万副随手发的，几副摆得成，几副和。 A hundred thousand dealt hands at once."""

import numpy as np

from dsl import ORIGINS, load

game = load("四家飞")
copies = [kind.copies for kind in game.core.kinds]
deck = np.repeat(np.arange(len(copies)), copies)

chance = np.random.default_rng(19)
order = chance.permuted(np.tile(deck, (100_000, 1)), axis=1)[:, :19]
hands = np.zeros((len(order), len(copies)), dtype=np.int64)
for column in range(18):
    np.add.at(hands, (np.arange(len(order)), order[:, column]), 1)

batch = game.judge_many(hands, last=order[:, 18], origin=ORIGINS.index("自摸"))
print("成形", int(batch.complete.sum()), "和", int(batch.win.sum()))

# 印出 · prints:
# 成形 3 和 3

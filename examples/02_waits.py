"""听什么，听到了和不和。 What a hand waits for, and whether each tile would win."""

import json
from pathlib import Path

from dsl import load

hand = json.loads((Path(__file__).parent / "hands/waiting.json").read_text(encoding="utf-8"))
waits = load("四家飞").waits(hand).to_json()

print("叫", *waits["types"])
for wait in waits["waits"]:
    discard = next(other for other in wait["others"] if other["from"] == "他打")
    print(wait["tile"], wait["verdict"], wait["score"], "/", discard["verdict"])

# 印出 · prints:
# 叫 三条口
# 上 win 11 / false_win
# 己 win 11 / false_win
# 礼 win 10 / false_win

"""The command line: one file per verb, loaded only when that verb is called."""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """Where a verb's command is, and its line in `paigui --help`, which loads no verb."""

    module: str
    attribute: str
    zh: str
    en: str


def verbs() -> dict[str, Verb]:
    """The verbs that need nothing but the language itself."""
    return {
        "new": Verb("dsl.cli.new", "command", "写一份新规则的开头", "write the start of a new ruleset"),
        "check": Verb("dsl.cli.check", "command", "检查规则写得对不对", "look for mistakes in rulesets"),
        "fmt": Verb(
            "dsl.cli.fmt", "command", "排版，或换成另一种语言的关键词", "lay out, or translate the keywords"
        ),
        "test": Verb("dsl.cli.test", "command", "跑规则里写的例", "run the examples of rulesets"),
        "coverage": Verb(
            "dsl.cli.coverage", "command", "对着出处表查漏", "what of the sources no clause cites"
        ),
        "judge": Verb("dsl.cli.judge", "command", "判一手报了和的牌", "judge a declared hand"),
        "matrix": Verb(
            "dsl.cli.matrix", "command", "一手牌在许多规则里各怎么判", "one hand under many rulesets"
        ),
        "play": Verb("dsl.cli.play", "command", "坐下来打一局", "play a deal"),
        "simulate": Verb("dsl.cli.simulate", "command", "随机打许多局", "play many deals by chance"),
        "replay": Verb("dsl.cli.replay", "command", "照记录判一局", "referee a record of play"),
        "waits": Verb("dsl.cli.waits", "command", "差一张的手牌听什么", "what a hand waits for"),
        "beats": Verb("dsl.cli.beats", "command", "一手出牌盖不盖得住另一手", "does one play beat another"),
    }

"""Every message once: its code, its weight, and its words in Chinese and English.

A template names its values in braces. `{x:an}` puts an English article before the value, `{x:each}`
shows every item of a list in backticks, and any other word after the colon is a counted noun
(`{found:tile}` gives `1 tile`, `2 tiles`). A help text appears only when all its values are given, so
`did you mean` needs no second code for the case without a suggestion.
"""

from __future__ import annotations

from .code import MEANT, SEVERITIES, Code, Lang, Severity, fields
from .play_codes import PLAY
from .statement_codes import STATEMENTS
from .usage_codes import USAGE
from .wild_codes import WILDS

__all__ = ["CODES", "LABELS", "PLAY", "SEVERITIES", "USAGE", "Code", "Lang", "Severity", "fields"]

PARSE: dict[str, Code] = {
    "P001": Code("error", "这里不该有字符 `{char}`", "unexpected character `{char}`"),
    "P002": Code(
        "error",
        "这里不该是 `{found}`，应当是{expected}",
        "unexpected word `{found}`, expected {expected}",
        *MEANT,
    ),
    "P003": Code("error", "这一条没有写完，还缺{expected}", "the clause ends too early, expected {expected}"),
    "P004": Code(
        "error",
        "这个 `{{` 没有对应的 `}}`",
        "this `{{` is never closed",
        "在这一段结束的地方补上 `}}`",
        "put a `}}` where the block ends",
    ),
    "P005": Code(
        "error",
        "这个 `}}` 没有对应的 `{{`",
        "this `}}` closes nothing",
        "删去它，或者在前面补上 `{{`",
        "remove it, or open a block with `{{` before it",
    ),
    "P006": Code(
        "error",
        "以 `{quote}` 开头的文字没有收尾",
        "text opened with `{quote}` is never closed",
        "在同一行里补上后一半引号",
        "close it on the same line",
    ),
    "P007": Code(
        "error",
        "文件不是 UTF-8 编码",
        "the file is not UTF-8",
        "看来是 {guess}：在编辑器里另存为 UTF-8，或者用 `iconv -f {guess} -t UTF-8` 转换",
        "it looks like {guess}: save it as UTF-8, or convert it with `iconv -f {guess} -t UTF-8`",
    ),
    "P008": Code(
        "error",
        "文件里还没有规则",
        "the file holds no ruleset yet",
        "从 `规则 名字 {{ … }}` 写起",
        "start with `rules NAME {{ … }}`",
    ),
    "P009": Code(
        "error",
        "文件太大：{size} 字节，上限是 {limit} 字节",
        "the file is too large: {size} bytes, the limit is {limit}",
    ),
    "P010": Code(
        "error",
        "`{keyword}` 是规则语言自己的词，不能直接当名字",
        "`{keyword}` is a word of the language and cannot be a name without quotes",
        "要当名字用，就加上引号写成 `'{keyword}'`",
        "quote it as `'{keyword}'`",
    ),
    "P011": Code(
        "error",
        "关键词和后面的名字连在了一起：`{found}`",
        "a keyword is glued to a name: `{found}`",
        "中间加一个空格，写成 `{split}`",
        "write `{split}`",
    ),
    "P012": Code(
        "error",
        "`{found}` 这一条不能写在这里",
        "a `{found}` clause cannot stand here",
        "它要写在 `{section}` 里",
        "it belongs inside `{section}`",
    ),
    "P013": Code(
        "error",
        "`}}` 后面只能写出处",
        "nothing but citations may follow the closing `}}`",
        "另起一行，或者写成 `依 …`",
        "start a new line, or cite with `cites …`",
    ),
    "P014": Code(
        "error",
        "这个 `}}` 已经结束了整套规则，后面的条文落在了外面",
        "this `}}` ends the ruleset, and the clauses after it stand outside",
        "多半是前面多写了一个 `}}`",
        "there is probably one `}}` too many before it",
    ),
    "P015": Code("error", "套得太深了，最多 {limit} 层", "nested too deeply, the limit is {limit}"),
}

NAMES: dict[str, Code] = {
    "N001": Code("error", "没有叫 `{name}` 的{what}", "unknown {what} `{name}`", *MEANT),
    "N002": Code(
        "error",
        "`{name}` 定义了两次",
        "`{name}` is defined twice",
        "给其中一个改名，或者删去一个",
        "rename or remove one of them",
    ),
    "N003": Code(
        "error", "改动落空：没有 `{path}` 这一条", "the change hits nothing, there is no `{path}`", *MEANT
    ),
    "N004": Code(
        "error",
        "改了等于没改：`{path}` 本来就是这样",
        "the change to `{path}` changes nothing",
        "删去这处改动",
        "remove the change",
    ),
    "N005": Code(
        "error",
        "`{path}` 已经有了，不能再加",
        "`{path}` already exists and cannot be added",
        "要换掉原来的，就用 `改`",
        "use `replace` to change it",
    ),
    "N006": Code("error", "继承绕成了圈：`{chain}`", "the rulesets extend each other in a circle: `{chain}`"),
    "N007": Code("error", "找不到所继承的规则 `{name}`", "there is no ruleset `{name}` to extend", *MEANT),
    "N008": Code("error", "找不到文件 `{path}`", "file `{path}` not found", *MEANT),
    "N009": Code("error", "没有选项 `{name}`", "unknown option `{name}`", *MEANT),
    "N010": Code(
        "error",
        "选项 `{name}` 不能取 `{value}`，只能取 {allowed:each}",
        "option `{name}` cannot be `{value}`, allowed: {allowed:each}",
        *MEANT,
    ),
    "N011": Code(
        "error",
        "选项不许这样搭配：`{combination}`",
        "this combination of options is not allowed: `{combination}`",
    ),
    "N012": Code("error", "出处表里没有 `{id}`", "citation `{id}` is not in the sources table", *MEANT),
    "N013": Code(
        "error",
        "有两处同时生效的改动都动了 `{path}`",
        "two changes in force together both change `{path}`",
        "并成一处，或者用 `不许` 写明这两个选项不能同选",
        "merge them, or use `forbid` to keep their options apart",
    ),
    "N014": Code(
        "error",
        "叫 `{name}` 的游戏不止一个",
        "several games are called `{name}`",
        "写出文件的路径",
        "give the path of the file instead",
    ),
    "N015": Code(
        "error",
        "`{name}` 是底本，不能直接用来判牌",
        "`{name}` is a template and cannot be judged",
        "换成继承它的规则",
        "use a ruleset that extends it",
    ),
    "N016": Code(
        "error",
        "`{path}` 里有 {found} 处 `{old}`，不是恰好一处，没法调",
        "`{path}` holds `{old}` {found:time}, not once, and cannot be retuned",
        "用 `改` 重写整条",
        "write the whole clause anew with `replace`",
    ),
    "N017": Code("error", "`{name}` 的定义绕回了自己", "the definition of `{name}` leads back to itself"),
    "N018": Code("error", "找不到出处表 `{path}`", "sources table `{path}` not found"),
    "N019": Code(
        "error", "文件里没有叫 `{name}` 的规则", "the file holds no ruleset called `{name}`", *MEANT
    ),
    "N020": Code(
        "error",
        "文件里不止一套规则：{names:each}",
        "the file holds several rulesets: {names:each}",
        "写明用哪一套：`文件.pai#名字`",
        "say which one is meant: `FILE.pai#NAME`",
    ),
    "N021": Code(
        "error",
        "`{name}` 不是查验项的编号",
        "`{name}` is no code of a check",
        "编号像 `V109` 这样写；`paigui explain` 列出所有查验项",
        "codes look like `V109`; `paigui explain` lists the checks",
    ),
    "N022": Code(
        "error",
        "豁免没有写理由",
        "the waiver gives no reason",
        "写成 `豁免 {check} {fingerprint}「为什么留着」`",
        'write `waive {check} {fingerprint} "why it may stand"`',
    ),
    "N024": Code(
        "error",
        "已经写过未建模：{ids:each}",
        "already put down as unmodelled: {ids:each}",
        "删去一处",
        "remove one of the two",
    ),
    "N025": Code(
        "error",
        "`{first}` 到 `{last}` 之间没有编号",
        "there are no ids from `{first}` to `{last}`",
        "两头要同一个字头，小的在前，例如 `SDR-20 至 SDR-29`",
        "both ends share their letters and the lower comes first, such as `SDR-20 to SDR-29`",
    ),
    "N026": Code(
        "error",
        "未建模没有写理由",
        "nothing says why this is unmodelled",
        "写成 `未建模 … 因为 「为什么不写」`",
        'write `unmodelled … because "why it is left out"`',
    ),
    "N027": Code("error", "`{game}` 没有判 `{name}`", "`{game}` has no judgement `{name}`", *MEANT),
    "N028": Code(
        "error",
        "`{name}` 是判，不能继承，也没有自己的判",
        "`{name}` is a judgement: nothing extends it, it has none",
    ),
    "N030": Code(
        "error",
        "`{path}` 在这里删了，还有条文用到它",
        "`{path}` is removed here, but other clauses use it",
        "把用到它的条文也删去，或者改掉",
        "remove or change what uses it, too",
    ),
    "N029": Code(
        "error",
        "判里不能写 `{section}`",
        "a judgement has no `{section}` of its own",
        "写到 `{game}` 里，判同它用一样的",
        "write it in `{game}`, whose own the judgement has",
    ),
}

TYPES: dict[str, Code] = (
    {
        "T001": Code("error", "没有 `{tile}` 这张牌", "unknown tile `{tile}`", *MEANT),
        "T002": Code(
            "error",
            "价表 `{table}` 里没有 `{meld}` 这一行",
            "meld `{meld}` has no price row in `{table}`",
            "补上一行；原文没有价的格子写 `缺`",
            "add a row, with `missing` where the source gives no price",
        ),
        "T003": Code(
            "error",
            "`{meld}`（`{tiles}`）有两个价：`{first}` 和 `{second}`",
            "meld `{meld}` (`{tiles}`) is priced twice: `{first}` and `{second}`",
            "用 `代` 写明哪一行是另一行的例外，例如 `{second} 代 {base}`",
            "use `over` to say which row is the exception of the other, such as `{second} over {base}`",
        ),
        "T004": Code(
            "error",
            "`{meld}` 里牌的搭配不归 `{table}` 的任何一列",
            "meld `{meld}` has a tile mix that no column of `{table}` covers",
            "补上一列，或者改一改各列的类；各张各照各的列计价的，写 `逐张`",
            "add a column, change the classes of the columns, or write `per_tile` to price tile by tile",
        ),
        "T005": Code(
            "error",
            "还没有写 `形`",
            "no shape is given",
            "例如 `形 5 组 2 口`",
            "for example `shape 5 组 2 口`",
        ),
        "T006": Code(
            "error", "牌型的字母里没有 `{name}`", "pattern variable `{name}` does not occur in the pattern"
        ),
        "T007": Code(
            "error",
            "这个牌型只有 {size} 张牌，没有第 {slot} 张",
            "the pattern has {size:tile}, there is no slot {slot}",
        ),
        "T008": Code(
            "error",
            "这一行有 {found} 格，表有 {expected} 列",
            "the row has {found:cell}, the table has {expected:column}",
        ),
        "T009": Code(
            "error",
            "`{name}` 是{found}，这里要用{expected}",
            "`{name}` is {found:an}, {expected:an} is needed",
        ),
        "T011": Code("error", "牌 `{tile}` 写了两次", "tile `{tile}` is written twice"),
        "T012": Code(
            "error",
            "还没有写 `座`",
            "no seats are given",
            "例如 `座 {{ 庄 19；闲 18 }}`",
            "for example `seats {{ 庄 19; 闲 18 }}`",
        ),
        "T013": Code("error", "没有 `{name}` 这种来路", "unknown origin `{name}`", *MEANT),
        "T014": Code(
            "error",
            "这里只能加减，或者乘一个固定的数：`{what}`",
            "only sums and multiples by a fixed number are allowed here: `{what}`",
        ),
        "T016": Code(
            "error",
            "还没有写 `{section}`",
            "no `{section}` is given",
            "例如 `{example}`",
            "for example `{example}`",
        ),
        "T018": Code(
            "error",
            "`{meld}`（`{tiles}`）归了 `{table}` 的两列，价却不一样",
            "meld `{meld}` (`{tiles}`) falls under two columns of `{table}` with different prices",
            "让各列的类不重叠，或者写上一样的价",
            "keep the classes of the columns apart, or give both the same price",
        ),
        "T030": Code(
            "error",
            "一副牌只能有一种赖子，`{name}` 是第二种",
            "a deck has one wild tile; `{name}` is a second",
        ),
        "T031": Code(
            "error",
            "`{name}` 要么另有几张牌，要么随翻出的牌定",
            "`{name}` either has tiles of its own or follows a tile turned up",
            "写 `赖 {name} 每张 4` 或 `赖 {name} 随 翻`",
            "write `wild {name} copies 4` or `wild {name} follows 翻`",
        ),
        "T032": Code("error", "境里已经有 `{name}`", "there is already a context `{name}`"),
        "T034": Code(
            "error",
            "没有说入哪些牌型，就不能限一组几张 `{name}`",
            "how many `{name}` a meld may have can only be said of melds that are named",
            "写在牌型后面：`入 句 口 ≤ 1`",
            "write it after the melds: `in 句 口 <= 1`",
        ),
        "T035": Code(
            "error",
            "`{meld}` 补的不能是末张：{why}",
            "the extra tile of `{meld}` cannot be the last one: {why}",
        ),
        "T037": Code(
            "error",
            "`{name}` 已经说了入哪些牌型，不用再说不入哪些",
            "the melds `{name}` lies in are named, so there is nothing it is `never_in`",
            "`入` 和 `不入` 只留一样",
            "keep either `in` or `never_in`",
        ),
        "T042": Code(
            "error",
            "已经有标记的牌，`{name}` 是第二种",
            "there is already a marked tile, `{name}` is a second one",
            "一副牌只能标一张",
            "only one tile of a deck can be marked",
        ),
        "T043": Code(
            "error",
            "`{wild}` 能顶任何牌，`{name}` 就说不清是哪一张",
            "`{wild}` stands for any tile, so it is not clear which tile `{name}` is",
            "给 `{wild}` 写上 `入 …`，说明它入哪些牌型",
            "say after `{wild}` with `in …` which melds it lies in",
        ),
        "T036": Code("error", "和牌的手至少有一张", "a finished hand has at least one tile"),
        "T054": Code(
            "error",
            "在打的身份都另写了形，不带身份的那一条没有人用",
            "every role at play has a shape of its own, so nobody uses the one without a role",
            "去掉 `{role}`，写在不带身份的那一条里",
            "say that of `{role}` in the one without a role",
        ),
        "T057": Code(
            "error",
            "`{tile}` 有 `{known}` 没有 `{lacks}`，算不出 `{name}`",
            "`{tile}` has `{known}` but no `{lacks}`, so its `{name}` cannot be worked out",
            "给它补上 `值 {lacks}：… {tile} 数`",
            "add it: `value {lacks}: … {tile} NUMBER`",
        ),
        "T058": Code("error", "`每满` 后的数不能是 0", "the number after `per_full` cannot be 0"),
        "T059": Code(
            "error",
            "`{meld}` 里的 `{tiles}` 不归 `{table}` 的任何一列",
            "tile `{tiles}` of meld `{meld}` stands in no column of `{table}`",
            "补上一列，或者改一改各列的类",
            "add a column, or change the classes of the columns",
        ),
        "T060": Code(
            "error",
            "`{name}` 在 `大小.{line}` 里排了两回",
            "`{name}` stands twice in `大小.{line}`",
            "只留一处；排在一起的用 `=` 连",
            "keep one place; what ranks alike is joined by `=`",
        ),
        "T061": Code(
            "error",
            "`{name}` 在 `大小.{other}` 和 `大小.{line}` 里都排了",
            "`{name}` stands in `大小.{other}` and in `大小.{line}`",
            "一张牌、一种牌型只归一路",
            "a tile or a meld belongs to one line",
        ),
        "T063": Code(
            "error",
            "字母 `{letter}` 用了两回",
            "the letter `{letter}` is used twice",
            "每个字母只说一张牌，换一个字母",
            "a letter stands for one tile: take another one",
        ),
        "T064": Code(
            "error",
            "`形 不限` 不数单位，牌型里不能写 `作`",
            "`shape unlimited` counts no units: leave `as` out of the melds",
        ),
        "T062": Code(
            "error",
            "例里 `出`、`盖`、`不盖` 要单写，`出` 写一回",
            "`led`, `beaten_by` and `unbeaten_by` make an example of their own, with `led` once",
            "例如 `例 E-1 {{ 出 四六；盖 长三；不盖 猫猫 }}`",
            "such as `example E-1 {{ led 四六; beaten_by 长三; unbeaten_by 猫猫 }}`",
        ),
        "T073": Code(
            "error",
            "摆法 `{name}` 要一房一房地说：牌型的数不能跨房相加，也不问身份、末张、境",
            "grouping `{name}` has to speak of one group at a time, and not of role, last tile or context",
            "写 `凡 房：…`；跨房的条件写 `须`，或者写在名里",
            "write `every group: ...`; a condition across groups is a `need`, or belongs to a name",
        ),
        "T072": Code(
            "error",
            "`{what}` 是两个不定的数相乘，只能乘定数",
            "`{what}` multiplies two numbers that are not fixed; only fixed multiples can be compared",
            "把其中一个写成定数，取几个数就分几条来问",
            "make one of them a fixed number, and ask once for each number that it can be",
        ),
        "T071": Code(
            "error",
            "有 {wild} 的牌，要说明 `同张` 数不数 {wild} 顶的牌",
            "with {wild} in the deck `same_face` has to say whether tiles it stands for count",
            "写 `同张 有 {wild} ≥ 4`，顶谁算谁；或 `同张 无 {wild} ≥ 4`，只数真的",
            "`same_face some {wild} >= 4` counts it as what it stands for, `same_face none {wild} >= 4` "
            "does not",
        ),
        "T070": Code(
            "error",
            "`{name}` 说的是一墩牌，`轮` 里却没有 `走墩`",
            "`{name}` speaks of tricks, but no `trick` is played in a `turn`",
        ),
        "T051": Code(
            "error",
            "流局没有人报和，说不上 `{what}`",
            "nobody declares a win when the tiles run out, so there is no `{what}`",
            "写身份或 `每家`，流局的 `每家` 是在打的各家",
            "name a role, or write `each`: then it is everyone at play",
        ),
        "T033": Code(
            "error",
            "没有随翻出的牌而定的赖子，谈不上归位",
            "no wild tile follows a tile turned up, so none can be in place",
        ),
    }
    | WILDS
    | STATEMENTS
)

WARNINGS: dict[str, Code] = {
    "W002": Code(
        "warning",
        "条文引了出处，却没有指明出处表",
        "clauses cite sources but no sources table is named",
        "写上 `出处 「SOURCES.md」`",
        'add `sources "SOURCES.md"`',
    ),
    "W003": Code("warning", "类 `{name}` 里一张牌也没有", "class `{name}` is empty"),
    "W004": Code(
        "warning",
        "选项可以这样搭配，但不常见：`{combination}`",
        "this combination of options is legal but unusual: `{combination}`",
    ),
    "W005": Code(
        "warning",
        "`{id}` 说是未建模，其实有条文引了它",
        "`{id}` is put down as unmodelled, yet a clause cites it",
        "从 `未建模` 里删去它",
        "take it out of `unmodelled`",
    ),
}

HANDS: dict[str, Code] = {
    "H001": Code("error", "这手牌不是合格的 JSON：{reason}", "the hand is not JSON: {reason}"),
    "H002": Code(
        "error",
        "字段 `{field}` 的值写法不对",
        "hand field `{field}` has the wrong type",
        "要写{expected}",
        "write {expected}",
    ),
    "H003": Code("error", "这副牌里没有 `{tile}`", "unknown tile `{tile}`", *MEANT),
    "H004": Code(
        "error",
        "`{tile}` 出现了 {found} 张，整副牌只有 {copies} 张",
        "`{tile}` appears {found:time}, the deck has {copies}",
    ),
    "H005": Code(
        "error",
        "这里有 {found} 张牌，{what}要 {expected} 张",
        "{found:tile} given, {what:an} needs {expected}",
    ),
    "H006": Code("error", "没有叫 `{meld}` 的牌型", "no meld is called `{meld}`", *MEANT),
    "H007": Code("error", "`{tiles}` 不成 `{meld}`", "`{tiles}` is not a `{meld}`"),
    "H008": Code(
        "error",
        "`{meld}` 不可能有这样的来路：{origins:each}",
        "these origins are impossible for `{meld}`: {origins:each}",
    ),
    "H009": Code(
        "error",
        "单凭牌和来路定不下是哪种牌型，可能是 {candidates:each}",
        "tiles and origins do not settle the meld, it may be {candidates:each}",
        "用字段 `meld` 写明牌型",
        "name it in the field `meld`",
    ),
    "H010": Code("error", "没有 `{role}` 这个身份", "unknown role `{role}`", *MEANT),
    "H011": Code("error", "没有 `{origin}` 这种来路", "unknown origin `{origin}`", *MEANT),
    "H012": Code("error", "境里没有 `{name}`", "unknown context `{name}`", *MEANT),
    "H013": Code(
        "error",
        "境 `{name}` 不能是 `{value}`",
        "context `{name}` cannot be `{value}`",
        "可以是 {allowed:each}",
        "it may be {allowed:each}",
    ),
    "H014": Code("error", "报的名 `{name}` 不存在", "unknown declared name `{name}`", *MEANT),
    "H015": Code("error", "没有字段 `{field}`", "unknown field `{field}`", *MEANT),
    "H016": Code("error", "`{meld}` 不能摆在桌上", "`{meld}` cannot be laid"),
    "H017": Code(
        "error",
        "结果要看 `{meld}` 的来路，这里却没有写",
        "the answer depends on the origins of `{meld}`, which are not given",
        "用字段 `origins` 写上每张牌的来路",
        "give the origin of every tile in the field `origins`",
    ),
    "H018": Code(
        "error", "写了 {found} 个来路，牌却有 {expected} 张", "{found:origin} given for {expected:tile}"
    ),
    "H019": Code(
        "error",
        "没有说翻出的是哪张，不知道谁是 `{wild}`",
        "the tile turned up is not given, so it is not known which face is `{wild}`",
        '写 `"context": {{"{parameter}": "上"}}`',
        'write `"context": {{"{parameter}": "上"}}`',
    ),
    "H021": Code(
        "error",
        "没有说 `{parameter}` 是哪张，不知道少了哪种牌",
        "the `{parameter}` is not given, so it is not known which tiles are out of play",
        '写 `"context": {{"{parameter}": "上"}}`',
        'write `"context": {{"{parameter}": "上"}}`',
    ),
    "H022": Code(
        "error",
        "`{tile}` 出现了 {found} 张，`{parameter}` 是 `{value}`，只剩 {copies} 张",
        "`{tile}` appears {found:time}; with `{parameter}` being `{value}`, {copies} are left",
    ),
    "H023": Code(
        "error",
        "`{tiles}` 不成一手出牌：没有这样的牌型，或者它不在 `大小` 里",
        "`{tiles}` is no play: there is no such meld, or it stands nowhere in `ranks`",
    ),
    "H024": Code("error", "这套规则没有写 `大小`", "the ruleset has no `ranks` section"),
    "H020": Code(
        "error",
        "`{wild}` 是 `{face}`，跟翻出的 `{parameter}` 对不上",
        "`{wild}` being `{face}` does not go with the `{parameter}` turned up",
        "只写其中一样",
        "give only one of them",
    ),
}

CODES: dict[str, Code] = PARSE | NAMES | TYPES | WARNINGS | HANDS | USAGE | PLAY
"""Every code: P parse, N names, T types, W warnings, H hands, U usage, R records of play."""

LABELS: dict[str, tuple[str, str]] = {
    "first": ("先写在这里", "first written here"),
    "opened": ("在这里打开", "opened here"),
    "declared": ("在这里声明", "declared here"),
    "base": ("被改的是这一条", "this is what it changes"),
    "change": ("另一处改动", "the other change"),
    "columns": ("表的各列", "the columns of the table"),
    "row": ("另一行", "the other row"),
    "forbidden": ("这里不许", "forbidden here"),
    "used": ("在这里用到", "used here"),
}
"""What stands beside a second place, by key; see `Diagnostic.related`."""

#!/usr/bin/env bash
# The main job from end to end. Every command must exit as stated, so the demo itself exits with 0.
set -euo pipefail
cd "$(dirname "$0")/.."

# say CHINESE ENGLISH: a heading in the language of the messages
say() {
  case "${PAIGUI_LANG:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}}" in
    zh*) printf '\n── %s\n' "$1" ;;
    *) printf '\n── %s\n' "$2" ;;
  esac
}

# expect CODE COMMAND…: show the command, run it, insist on its exit code
expect() {
  local wanted=$1 code=0
  shift
  printf '\n$ %s\n' "$*"
  "$@" || code=$?
  if [ "$code" -ne "$wanted" ]; then
    printf 'exited with %s instead of %s\n' "$code" "$wanted" >&2
    exit 1
  fi
}

say '规则写得对不对，例都过不过' 'Are the rulesets sound, do their examples pass?'
expect 0 paigui check specs
expect 0 paigui test specs

say '同一手牌，两个县' 'One hand, two counties'
expect 0 paigui judge 四家飞 --hand examples/hands/nine.json
expect 0 paigui judge 十符硬 --hand examples/hands/nine.json
expect 0 paigui waits 四家飞 --hand examples/hands/waiting.json

say '照印的条文里，素符不够十符又和又诈' 'As printed, a 素符 below ten 符 wins and is fined'
expect 0 paigui verify specs/hubei/shifuying/as-printed.pai --only V101
say '改好的，证得出再没有这样的牌' 'Mended: proved that no such hand is left'
expect 0 paigui verify specs/hubei/shifuying/game.pai --only V101

say '价印倒了的地方：闲双龙自己做成反而少' 'Where the printed prices are upside down'
expect 0 paigui verify specs/hunan/sijiafei/game.pai --only V109

say '两句关于听牌的话：一句证出，一句驳倒' 'Two sentences on waits: one proved, one refuted by a hand'
expect 1 paigui verify examples/claims.pai --only V119

say '两个县到底差在哪里' 'What two counties really disagree about'
expect 1 paigui diff 四家飞 十符硬

say '一共有多少手牌能和' 'How many hands there are'
expect 0 paigui count 四家飞 --of complete

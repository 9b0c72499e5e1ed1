import { jsonIn } from '../domain/clean-text.ts'
import { isRecord } from './forgiving.ts'

/**
 * Beginnings of a call in the templates of Hermes, Qwen, Kimi, DeepSeek, Mistral, Llama, MiniMax,
 * Claude, Gemma and OpenAI's open models.
 */
const marks =
  /(?<!["'“「])<\|?(?:\w{1,20}[:_])?(?:tool|function)_?(?:call|use|code)|<invoke\s+name=|<function=|<\|python_tag\|>|[|｜]DSML[|｜]|<[|｜]tool▁|<｜tool|<function name=|<\/arg_value>|<\|(?:START_ACTION|action_start)\|>|\w\[ARGS\]\{|\[TOOL_(?:CALL|REQUEST)|<\|channel\|>commentary|\bto=functions\.|^>>>[\w.]{1,80}\n\{|✿FUNCTION✿/i
/** Code, in which people are shown such marks. */
const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

/** A call as code, as XML, and as ReAct has it. */
const inWords = [
  /^\[?(?:print\()?(?:default_api\.)?([\w.-]{1,80})\([\s\S]*\)\]?$/,
  /^<([\w.-]{1,80})>[\s\S]*<\/\1>$/,
  /^Action: ?([\w.-]{1,80})[^\S\n]*\nAction Input:/m,
]

/**
 * True if words are a call that was written instead of made. It is never run: a page that a model
 * quotes may hold one. It is no report either.
 *
 * @param tools names of what may be called: bare JSON is a call only if it names one of them.
 */
export function isWrittenCall(text: string, tools: readonly string[]): boolean {
  if (marks.test(text.replace(code, ''))) return true
  const bare = text
    .trim()
    .replace(/^```\w*/, '')
    .replace(/```$/, '')
    .replace(/^\s*functools(?=\[)/, '')
    .trim()
  const isTool = (name: unknown) =>
    typeof name === 'string' && tools.includes(name.replace(/^(?:functions|default_api)[.:]/, ''))
  // Behind words it stands in lines of its own.
  const at = bare.includes('```') ? bare.search(/^[[{]/) : bare.search(/^[[{]/m)
  if (at !== -1) {
    const json = bare.slice(at)
    const said = jsonIn(json) ?? jsonIn(`[${json.replaceAll(/\}\s{0,9}[;,]?\s{0,9}\{/g, '},{')}]`)
    const all = isRecord(said) ? (said.tool_calls ?? said) : said
    const calls = Array.isArray(all) ? all : [all]
    if (calls.length > 0 && calls.every((call) => isRecord(call) && isCall(call, isTool)))
      return true
  }
  return inWords.some((one) => isTool(one.exec(bare)?.[1]))
}

function isCall(value: Record<string, unknown>, isTool: (name: unknown) => boolean): boolean {
  const called = isRecord(value.function) ? value.function : value
  const isWithInput = ['arguments', 'parameters', 'args', 'input', 'action_input'].some(
    (key) => key in called,
  )
  return (
    isWithInput &&
    isTool(called.name ?? called.tool ?? called.tool_name ?? called.action ?? value.function)
  )
}

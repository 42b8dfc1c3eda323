/** Splits a rule's source into tokens. */

/** `at` is the offset of its first code unit in the source. */
export type RuleToken =
  | { readonly kind: '(' | ')' | ',' | 'AND' | 'OR' | 'NOT' | '-' | 'end'; readonly at: number }
  /** A bare word, or a text in quotation marks. */
  | { readonly kind: 'word' | 'quoted'; readonly at: number; readonly text: string }
  /** `name:value`; the value is '' if none follows the colon. */
  | { readonly kind: 'field'; readonly at: number; readonly name: string; readonly value: string };

/** Quotation marks of keyboards, word processors and the presses of several languages, each with the marks that may close it. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”"',
  '„': '“”"',
  '‟': '”"',
  '”': '”"',
  '«': '»',
  '»': '«',
  '「': '」',
  '『': '』',
};

const SPACE = /\s+/y;
const MARK = /[,;，；、،؛()（）]/y;
const MARKS: Readonly<Record<string, '(' | ')' | ','>> = { '(': '(', '（': '(', ')': ')', '）': ')' };
/** A minus sign directly before an operand. */
const DASH = /-(?=[^\s,;，；、،؛)）])/y;
const FIELD = /\p{L}[\p{L}\p{N}_-]*:/uy;
const CHUNK = /[^\s,;，；、،؛()（）"“”„‟«»「」『』]+/y;

/**
 * The tokens of `source`, the last one of kind `end`. Lists may be separated by the commas and semicolons of any script. O(length).
 * @throws the error of `fail`, called with an offset and the fault there
 */
export function ruleTokens(source: string, fail: Fail): RuleToken[] {
  const tokens: RuleToken[] = [];
  let at = spaceEnd(source, 0);
  while (at < source.length) {
    const [token, end] = tokenAt(source, at, fail);
    tokens.push(token);
    at = spaceEnd(source, end);
  }
  return [...tokens, { kind: 'end', at }];
}

/** Reports the fault at an offset of the source. */
export type Fail = (at: number, what: string) => never;

/** The token at `at`, and its end. */
function tokenAt(source: string, at: number, fail: Fail): [RuleToken, number] {
  const mark = match(MARK, source, at);
  if (mark !== '') return [{ kind: MARKS[mark] ?? ',', at }, at + 1];
  if (match(DASH, source, at) !== '') return [{ kind: '-', at }, at + 1];
  const name = match(FIELD, source, at);
  const [value, quoted] = valueAt(source, at + name.length, fail);
  const end = at + name.length + value.length + (quoted ? 2 : 0);
  if (name !== '') return [{ kind: 'field', at, name: name.slice(0, -1), value }, end];
  if (quoted) return [{ kind: 'quoted', at, text: value }, end];
  if (value === 'AND' || value === 'OR' || value === 'NOT') return [{ kind: value, at }, end];
  return [{ kind: 'word', at, text: value }, end];
}

/** A word or a text in quotation marks; '' if neither is at `at`. */
function valueAt(source: string, at: number, fail: Fail): [value: string, quoted: boolean] {
  const closers = CLOSERS[source[at] ?? ''];
  if (closers === undefined) {
    if (/[」』]/.test(source[at] ?? '')) fail(at, `${source[at]} has no opening mark`);
    return [match(CHUNK, source, at), false];
  }
  for (let end = at + 1; end < source.length; end++) if (closers.includes(source[end] ?? '')) return [source.slice(at + 1, end), true];
  return fail(at, `the quotation mark is not closed; write ${closers[0]} behind the last word of the phrase`);
}

function spaceEnd(source: string, at: number): number {
  return at + match(SPACE, source, at).length;
}

function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

import { UsageError } from '../../base/core/errors.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { fieldAtom, phraseWithWords } from './rule-fields.ts';
import { type Fail, type RuleToken, ruleTokens } from './rule-lexer.ts';
import { atomsOf, depthOf, joined, negated, nodeText, type RuleNode } from './rule-node.ts';

/**
 * Caps that no handwritten rule approaches, and that keep parsing within milliseconds. They apply to the rule as written, and to the rule written out
 * with `model`.
 */
const MAX_RULE_CHARS = 4096;
const MAX_ATOMS = 256;
const MAX_DEPTH = 32;
/** Number of characters that a message quotes on either side of the fault. */
const QUOTED_CHARS = 60;

const OPERAND = 'a word, a "quoted phrase", a field such as url: or a parenthesis';

/** The tree of a rule; see `parseRule` for the language. @throws UsageError */
export function parseNode(source: string, isStored = false): RuleNode {
  const refuse = (what: string, at = 0): never => {
    throw new UsageError(squeeze(`rule "${excerpt(source, at)}": ${what}`));
  };
  const fail: Fail = (at, what) => refuse(`at character ${at + 1}: ${what}`, at);
  if (source.length > MAX_RULE_CHARS) refuse(`is ${source.length} characters long; ${MAX_RULE_CHARS} are the most`);
  return capped(new RuleParser(ruleTokens(source, fail), fail, isStored).rule(), refuse);
}

/**
 * @throws the error of `refuse`, if the rule, with `model` added if it is missing, exceeds a cap. So a rule and the result of `withModel` can both be
 * written out and read again.
 */
function capped(node: RuleNode, refuse: (what: string) => never): RuleNode {
  const whole = joinedWithModel(node);
  const [atoms, depth, chars] = [atomsOf(whole).length, depthOf(whole), nodeText(whole).length];
  if (atoms > MAX_ATOMS) refuse(`has ${atoms} words, phrases and fields, model counted; ${MAX_ATOMS} are the most`);
  if (depth > MAX_DEPTH) refuse(`has ${TOO_DEEP}`);
  if (chars > MAX_RULE_CHARS) refuse(`is ${chars} characters long when it is written out in full; ${MAX_RULE_CHARS} are the most`);
  return node;
}

const TOO_DEEP = `parentheses and NOTs in each other more than ${MAX_DEPTH} deep; write it flatter`;

/** The rule itself if it contains `model`, else `model AND (rule)`. */
export function joinedWithModel(node: RuleNode): RuleNode {
  return atomsOf(node).some(({ kind }) => kind === 'model') ? node : joined('and', [{ kind: 'model' }, node]);
}

/** The source around `at`. */
function excerpt(source: string, at: number): string {
  const [from, to] = [Math.max(0, at - QUOTED_CHARS), Math.min(source.length, at + QUOTED_CHARS)];
  return `${from > 0 ? '…' : ''}${source.slice(from, to)}${to < source.length ? '…' : ''}`;
}

/** Recursive descent: OR, AND, NOT, list of alternatives, operand. */
class RuleParser {
  readonly #tokens: readonly RuleToken[];
  readonly #fail: Fail;
  readonly #isStored: boolean;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly RuleToken[], fail: Fail, isStored: boolean) {
    this.#tokens = tokens;
    this.#fail = fail;
    this.#isStored = isStored;
  }

  rule(): RuleNode {
    const node = this.#alternatives();
    const token = this.#peek();
    if (token.kind === ')') this.#fail(token.at, 'this parenthesis has no opening one');
    if (token.kind !== 'end') this.#fail(token.at, 'AND, OR or a comma is expected in front of this');
    return node;
  }

  #alternatives(): RuleNode {
    const children = [this.#conjunction()];
    while (this.#take('OR')) children.push(this.#conjunction());
    return joined('or', children);
  }

  /** `peat NOT bog` is `peat AND NOT bog`, as in library catalogues; `peat -bog` too. */
  #conjunction(): RuleNode {
    const children = [this.#factor()];
    while (this.#take('AND') || this.#peek().kind === 'NOT' || this.#peek().kind === '-') children.push(this.#factor());
    return joined('and', children);
  }

  #factor(): RuleNode {
    if (this.#take('NOT')) return negated(this.#deeper(() => this.#factor()));
    if (this.#take('-')) return this.#minus();
    return this.#list();
  }

  /** Exclusion of one atom. A list after it is a mistake: `moss, -game, bog` would be read as excluding bog. */
  #minus(): RuleNode {
    const node = this.#deeper(() => (this.#peek().kind === 'word' ? this.#words(1) : this.#operandOrMinus()));
    const { at } = this.#peek();
    if (this.#skipCommas() && !this.#ends())
      this.#fail(at, 'a list cannot continue after "-"; write the excluded words last, as in "a, b NOT c, d"');
    return negated(node);
  }

  #operandOrMinus(): RuleNode {
    return this.#take('-') ? this.#minus() : this.#operand();
  }

  /** Alternatives. Empty items between, before or after commas are ignored, because lists are often pasted. */
  #list(): RuleNode {
    const children: RuleNode[] = [];
    this.#skipCommas();
    do children.push(this.#operand());
    while (this.#skipCommas() && !this.#ends());
    return joined('or', children);
  }

  #operand(): RuleNode {
    return this.#take('(') ? this.#deeper(() => this.#parenthesis()) : this.#atom();
  }

  #parenthesis(): RuleNode {
    const opened = this.#tokens[this.#next - 1]?.at ?? 0;
    const node = this.#alternatives();
    const token = this.#peek();
    if (token.kind === 'end') this.#fail(opened, 'this parenthesis is not closed');
    if (!this.#take(')')) this.#fail(token.at, 'AND, OR, a comma or ")" is expected in front of this');
    return node;
  }

  #deeper(read: () => RuleNode): RuleNode {
    if (++this.#depth > MAX_DEPTH) this.#fail(this.#peek().at, TOO_DEEP);
    const node = read();
    this.#depth--;
    return node;
  }

  #atom(): RuleNode {
    const token = this.#peek();
    const refuse = (what: string): never => this.#fail(token.at, what);
    if (token.kind === 'word') return this.#words(Number.POSITIVE_INFINITY);
    this.#next++;
    if (token.kind === 'quoted') return { kind: 'words', phrase: phraseWithWords(token.text, refuse) };
    if (token.kind === 'field') return fieldAtom(token.name, token.value, refuse, this.#isStored);
    return refuse(token.kind === 'end' ? `${OPERAND} is expected here, but the rule ends` : `${OPERAND} is expected in front of this`);
  }

  /** Up to `most` bare words in a row: one phrase, or `model`. */
  #words(most: number): RuleNode {
    const { at } = this.#peek();
    const words: string[] = [];
    for (let token = this.#peek(); token.kind === 'word' && words.length < most; token = this.#peek()) {
      words.push(token.text);
      this.#next++;
    }
    if (words.length === 1 && words[0]?.toLowerCase() === 'model') return { kind: 'model' };
    const operator = words.length > 1 && words.find((word) => /^(?:and|or|not)$/i.test(word));
    if (operator)
      this.#fail(
        at,
        `"${operator}" is a word here; write ${operator.toUpperCase()}, or "${words[0]} …" in quotation marks if it is one phrase`,
      );
    return { kind: 'words', phrase: phraseWithWords(words.join(' '), (what) => this.#fail(at, what)) };
  }

  /** Is the next token one that ends a list? A comma before an operator is ignored. */
  #ends(): boolean {
    return ['end', ')', 'AND', 'OR', 'NOT', '-'].includes(this.#peek().kind);
  }

  #skipCommas(): boolean {
    let skipped = false;
    while (this.#take(',')) skipped = true;
    return skipped;
  }

  #take(kind: RuleToken['kind']): boolean {
    if (this.#peek().kind !== kind) return false;
    this.#next++;
    return true;
  }

  #peek(): RuleToken {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? { kind: 'end', at: 0 };
  }
}

import type { Unit } from '../../base/core/types.ts';
import { clipped } from './features.ts';
import type { Phrase } from './phrase.ts';
import { PhraseFinder } from './phrase-finder.ts';
import { atomsOf, isBranch, joined, negated, nodeText, type RuleAtom, type RuleNode, type RulePage } from './rule-node.ts';
import { joinedWithModel, parseNode } from './rule-parser.ts';

export type { RulePage } from './rule-node.ts';

/** A boolean rule about a page. Made by `parseRule` and `withModel`; `ruleText` writes it. */
export interface Rule {
  readonly root: RuleNode;
  /** Searches a title for all phrases of the rule. */
  readonly inTitle: PhraseFinder;
  /** Searches a text for the phrases that it may contain: the first ones in `placeOf`. */
  readonly inText: PhraseFinder;
  /** The number of a phrase in both, by its text. */
  readonly placeOf: ReadonlyMap<string, number>;
}

/**
 * Reads a rule. An atom is one of these:
 * - a word or a sequence of words (`peat bog`, `"peat and bog"`), in title or main text. Words are split and folded like those of pages, so case and
 *   Unicode form do not matter. `moss*` is any word with that start. In scripts without spaces any run of letters is found, also inside a longer
 *   word;
 * - `title:moss`, `title:"peat bog"`: the same, in the title only;
 * - `url:/blog/`: a part of the URL in any case; with `*` for anything (`url:/blog/*.html`), it must reach the end of the URL;
 * - `site:example.org`: that host and all hosts below it; `site:.org`: a suffix;
 * - `lang:de`: the language by its primary subtag;
 * - `type:openapi`: the kind of a document (see `DOCUMENT_KIND_NAMES`);
 * - `model`: the relevance by the topic model. The word itself is written `"model"`.
 *
 * Bare words without an operator are one phrase. A list separated by commas (or semicolons) is one condition that holds if any of its parts does: the
 * comma binds first. NOT (or `-` directly before one atom), AND and OR bind in this order, in upper case; parentheses group. `a NOT b` is `a AND NOT
 * b`. So `peat bog, sphagnum, moss AND NOT game, golf` is `("peat bog" OR sphagnum OR moss) AND NOT (game OR golf)`. A comma before an operator is
 * ignored. Lower-case `and`, `or`, `not` among bare words are refused, because they may be words or operators.
 *
 * At most 4,096 characters, 256 atoms, 32 words a phrase, and 32 nested parentheses and NOTs.
 * @throws UsageError that quotes the rule, the position of the fault, and the expected token
 * @param isStored it is in a model: accepts the language codes of earlier versions
 */
export function parseRule(source: string, isStored = false): Rule {
  return ruleOf(parseNode(source, isStored));
}

function ruleOf(root: RuleNode): Rule {
  const phrases = new Map<string, Phrase>();
  const take = (kind: RuleAtom['kind']) => {
    for (const atom of atomsOf(root)) if (atom.kind === kind && 'phrase' in atom) phrases.set(atom.phrase.text, atom.phrase);
    return new PhraseFinder([...phrases.values()]);
  };
  const inText = take('words');
  const inTitle = take('title');
  return { root, inText, inTitle, placeOf: new Map([...phrases.keys()].map((text, place) => [text, place])) };
}

/** The rule in canonical form; `parseRule` reads it as the same rule. */
export function ruleText(rule: Rule): string {
  return nodeText(rule.root);
}

export function mentionsModel(rule: Rule): boolean {
  return needs(rule).model;
}

/** The rule itself if it contains the model, else `model AND (rule)`. */
export function withModel(rule: Rule): Rule {
  return mentionsModel(rule) ? rule : ruleOf(joinedWithModel(rule.root));
}

/**
 * The rule without the conditions that only exclude: each NOT under an AND that has another condition. null if there is none, as in `peat OR NOT game`,
 * where NOT includes.
 */
export function withoutExclusions(rule: Rule): Rule | null {
  const root = inclusive(rule.root);
  return root === rule.root ? null : ruleOf(root);
}

function inclusive(node: RuleNode): RuleNode {
  if (!isBranch(node)) return node;
  const wanted = node.kind === 'and' ? node.children.filter(({ kind }) => kind !== 'not') : node.children;
  const children = (wanted.length === 0 ? node.children : wanted).map(inclusive);
  const isSame = children.length === node.children.length && children.every((child, i) => child === node.children[i]);
  return isSame ? node : joined(node.kind, children);
}

/** The rule with another instead of `model`. @throws UsageError if the result exceeds the caps of `parseRule`. */
export function modelReplaced(rule: Rule, by: Rule): Rule {
  return parseRule(nodeText(replaced(rule.root, by.root)));
}

function replaced(node: RuleNode, by: RuleNode): RuleNode {
  if (node.kind === 'model') return by;
  if (node.kind === 'not') return negated(replaced(node.child, by));
  return isBranch(node)
    ? joined(
        node.kind,
        node.children.map((child) => replaced(child, by)),
      )
    : node;
}

/** The facts that a rule needs. */
export interface RuleNeeds {
  readonly model: boolean;
  readonly url: boolean;
  readonly title: boolean;
  readonly text: boolean;
  readonly language: boolean;
}

/** The parts of a page that the rule may read; the others may be null or ''. */
export function needs(rule: Rule): RuleNeeds {
  const kinds = new Set(atomsOf(rule.root).map(({ kind }) => kind));
  return {
    model: kinds.has('model'),
    url: kinds.has('url') || kinds.has('site'),
    title: kinds.has('title') || kinds.has('words'),
    text: kinds.has('words'),
    language: kinds.has('lang'),
  };
}

/**
 * The degree to which a rule holds for a page: AND is the minimum, OR the maximum, NOT x is 1 − x (Zadeh 1965, "Fuzzy sets", §II); `model` is
 * `relevance`, all other atoms are 0 or 1. Reads title and text at most once, the text up to the limit for features, and only if fields and relevance
 * leave the value open. O(length).
 */
export function evaluateRule(rule: Rule, page: RulePage, relevance: Unit): Unit {
  return new RuleReading(rule, page, relevance).value(rule.root);
}

/** An atom of a rule in canonical form, and the degree to which it holds by itself. */
export interface RuleEvidence {
  readonly atom: string;
  readonly value: Unit;
}

/** All atoms of a rule in the order of writing; those under a NOT with their value before negation. */
export function explainRule(rule: Rule, page: RulePage, relevance: Unit): RuleEvidence[] {
  const reading = new RuleReading(rule, page, relevance);
  return atomsOf(rule.root).map((atom) => ({ atom: nodeText(atom), value: reading.value(atom) }));
}

/** One page read for one rule: matches in title and text are kept. */
class RuleReading {
  readonly #rule: Rule;
  readonly #page: RulePage;
  readonly #relevance: Unit;
  #inTitle: Uint8Array | null = null;
  #inText: Uint8Array | null = null;

  constructor(rule: Rule, page: RulePage, relevance: Unit) {
    this.#rule = rule;
    this.#page = page;
    this.#relevance = relevance;
  }

  value(node: RuleNode): Unit {
    switch (node.kind) {
      case 'model':
        return this.#relevance;
      case 'not':
        return 1 - this.value(node.child);
      case 'and':
        return this.#fold(node.cheapFirst, 1, Math.min, 0);
      case 'or':
        return this.#fold(node.cheapFirst, 0, Math.max, 1);
      case 'title':
        return this.#titleHolds(node.phrase) ? 1 : 0;
      case 'words':
        return this.#titleHolds(node.phrase) || this.#textHolds(node.phrase) ? 1 : 0;
      default:
        return node.holds(this.#page) ? 1 : 0;
    }
  }

  /** Stops at `end`, which nothing can change. */
  #fold(children: readonly RuleNode[], start: Unit, fold: (a: Unit, b: Unit) => Unit, end: Unit): Unit {
    let value = start;
    for (const child of children) {
      value = fold(value, this.value(child));
      if (value === end) break;
    }
    return value;
  }

  #titleHolds({ text }: Phrase): boolean {
    this.#inTitle ??= this.#rule.inTitle.find(clipped(this.#page.title));
    return this.#inTitle[this.#rule.placeOf.get(text) ?? -1] === 1;
  }

  #textHolds({ text }: Phrase): boolean {
    this.#inText ??= this.#rule.inText.find(clipped(this.#page.text));
    return this.#inText[this.#rule.placeOf.get(text) ?? -1] === 1;
  }
}

import type { Unit } from '../core/types.ts';
import { clipped } from './features.ts';
import type { Phrase } from './phrase.ts';
import { PhraseFinder } from './phrase-finder.ts';
import { atomsOf, isBranch, joined, negated, type RuleAtom, type RuleNode, type RulePage, textOf } from './rule-node.ts';
import { joinedWithModel, parseNode } from './rule-parser.ts';

export type { RulePage } from './rule-node.ts';

/** A boolean rule about a page. Made by `parseRule` and `withModel`; write it with `ruleText`. */
export interface Rule {
  readonly root: RuleNode;
  /** Looks for all phrases of the rule in a title. */
  readonly inTitle: PhraseFinder;
  /** Looks in a text for those that may stand there: the first `placeOf` ones. */
  readonly inText: PhraseFinder;
  /** The number a phrase has in both, by its text. */
  readonly placeOf: ReadonlyMap<string, number>;
}

/**
 * Reads a rule. An atom is
 * - a word or words in a row (`peat bog`, `"peat and bog"`), in title or main text; words are split and folded as those of pages, so case
 *   and Unicode form do not matter. `moss*` is any word that begins so. In scripts without spaces any run of letters is found, also
 *   inside a longer word;
 * - `title:moss`, `title:"peat bog"`: the same, in the title alone;
 * - `url:/blog/`: a part of the URL in any case; with `*` for anything (`url:/blog/*.html`) it must reach to the URL's end;
 * - `site:example.org`: that host and all below it; `site:.org`: a suffix;
 * - `lang:de`: the language by its primary subtag;
 * - `model`: the relevance by the topic model. The word is written `"model"`.
 *
 * Bare words without an operator are one phrase, and a list parted by commas (or semicolons) is one condition that holds where any of its
 * parts does: the comma binds first. NOT (or `-` right in front of one atom), AND and OR bind in this order, in upper case; there are
 * parentheses. `a NOT b` is `a AND NOT b`. So `peat bog, sphagnum, moss AND NOT game, golf` is
 * `("peat bog" OR sphagnum OR moss) AND NOT (game OR golf)`. A comma in front of an operator says nothing. Lower-case `and`, `or`, `not`
 * among bare words are refused, for they may be either.
 *
 * At most 4,096 characters, 256 atoms, 32 words a phrase, and 32 parentheses and NOTs in each other.
 * @throws UsageError that quotes the rule, says at which character, and what was expected.
 * @param isStored it stands in a model: language codes that earlier versions took are taken
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

/** The rule in canonical form; `parseRule` makes the same rule of it. */
export function ruleText(rule: Rule): string {
  return textOf(rule.root);
}

export function mentionsModel(rule: Rule): boolean {
  return needs(rule).model;
}

/** The rule itself where it speaks of the model, else `model AND (rule)`. */
export function withModel(rule: Rule): Rule {
  return mentionsModel(rule) ? rule : ruleOf(joinedWithModel(rule.root));
}

/** The rule with another in the place of `model`. @throws UsageError when that is longer than a rule may be: see `parseRule`. */
export function modelReplaced(rule: Rule, by: Rule): Rule {
  return parseRule(textOf(replaced(rule.root, by.root)));
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

/** What has to be known to evaluate a rule. */
export interface RuleNeeds {
  readonly model: boolean;
  readonly url: boolean;
  readonly title: boolean;
  readonly text: boolean;
  readonly language: boolean;
}

/** What of a page the rule may read; the rest can be left null or ''. */
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
 * How far a rule holds for a page: AND is the minimum, OR the maximum, NOT x is 1 − x (Zadeh 1965, "Fuzzy sets", §II); `model` is
 * `relevance`, all other atoms are 0 or 1. Reads title and text once at the most, the text up to what is read for features, and
 * only where fields and relevance leave the value open. O(length).
 */
export function evaluateRule(rule: Rule, page: RulePage, relevance: Unit): Unit {
  return new RuleReading(rule, page, relevance).value(rule.root);
}

/** An atom of a rule in canonical form, and how far it holds by itself. */
export interface RuleEvidence {
  readonly atom: string;
  readonly value: Unit;
}

/** All atoms of a rule in the order they were written; those under a NOT with the value they have without it. */
export function explainRule(rule: Rule, page: RulePage, relevance: Unit): RuleEvidence[] {
  const reading = new RuleReading(rule, page, relevance);
  return atomsOf(rule.root).map((atom) => ({ atom: textOf(atom), value: reading.value(atom) }));
}

/** One page read for one rule: what was found in title and text is kept. */
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

/** The parts of a rule. */
import type { Phrase } from './phrase.ts';

/** The facts about a page that rules use. */
export interface RulePage {
  /** null if unknown: then no `url:` or `site:` holds. */
  readonly url: string | null;
  readonly title: string;
  /** Main text. */
  readonly text: string;
  /** BCP 47; null if unknown: then no `lang:` holds. */
  readonly language: string | null;
  /** Kind of a document; null for HTML and plain text: then no `type:` holds. */
  readonly document: string | null;
}

export type RuleAtom =
  /** The relevance by the topic model. */
  | { readonly kind: 'model' }
  /** `url`, `site`, `type`, and `lang` by the page's own declaration. `value` is in canonical form. */
  | { readonly kind: 'url' | 'site' | 'lang' | 'type'; readonly value: string; readonly holds: (page: RulePage) => boolean }
  /** A sequence of words in the title. */
  | { readonly kind: 'title'; readonly phrase: Phrase }
  /** A sequence of words in the title or in the main text. */
  | { readonly kind: 'words'; readonly phrase: Phrase };

/** Joins two or more nodes. */
export interface RuleBranch {
  readonly kind: 'and' | 'or';
  /** Children in the order of writing; none of the same kind as this node. */
  readonly children: readonly RuleNode[];
  /** Children with the cheapest to evaluate first. */
  readonly cheapFirst: readonly RuleNode[];
}

export type RuleNode = RuleAtom | RuleBranch | { readonly kind: 'not'; readonly child: RuleNode };

export function isBranch(node: RuleNode): node is RuleBranch {
  return node.kind === 'and' || node.kind === 'or';
}

/** `children` under AND or OR; a single child becomes the node itself. */
export function joined(kind: 'and' | 'or', children: readonly RuleNode[]): RuleNode {
  const flat = children.flatMap((child) => (child.kind === kind ? child.children : [child]));
  const [only] = flat;
  if (only !== undefined && flat.length === 1) return only;
  return { kind, children: flat, cheapFirst: [...flat].sort((a, b) => workOf(a) - workOf(b)) };
}

/** The negation of `child`. */
export function negated(child: RuleNode): RuleNode {
  return child.kind === 'not' ? child.child : { kind: 'not', child };
}

/** The atoms of a rule in the order they were written. */
export function atomsOf(node: RuleNode): RuleAtom[] {
  if (node.kind === 'not') return atomsOf(node.child);
  return isBranch(node) ? node.children.flatMap(atomsOf) : [node];
}

/** 0 for reading a field, 1 for reading the title, 2 for reading the text. */
function workOf(node: RuleNode): number {
  return Math.max(...atomsOf(node).map(({ kind }) => (kind === 'words' ? 2 : kind === 'title' ? 1 : 0)));
}

/** Nesting depth of parentheses and NOTs when the rule is written out. */
export function depthOf(node: RuleNode): number {
  if (node.kind === 'not') return 1 + depthWithin(node.child);
  return isBranch(node) ? Math.max(...node.children.map(depthWithin)) : 0;
}

function depthWithin(child: RuleNode): number {
  return depthOf(child) + (isBranch(child) ? 1 : 0);
}

/** A rule in canonical form: `parseRule` reads it as the same rule. */
export function nodeText(node: RuleNode): string {
  switch (node.kind) {
    case 'model':
      return 'model';
    case 'not':
      return `NOT ${textWithin(node.child)}`;
    case 'and':
    case 'or':
      return node.children.map(textWithin).join(node.kind === 'and' ? ' AND ' : ' OR ');
    case 'words':
      return quotedWhere(node.phrase.text, !isOneWord(node.phrase) || node.phrase.text === 'model');
    case 'title':
      return `title:${quotedWhere(node.phrase.text, !isOneWord(node.phrase))}`;
    default:
      return `${node.kind}:${quotedWhere(node.value, /[^\p{L}\p{N}._~:/?#@!$&'*+=%-]/u.test(node.value))}`;
  }
}

function textWithin(child: RuleNode): string {
  return isBranch(child) ? `(${nodeText(child)})` : nodeText(child);
}

function quotedWhere(text: string, quoted: boolean): string {
  return quoted ? `"${text}"` : text;
}

/** Can it be written without quotation marks? A word whose spelling differs from its folded form may contain a separator. */
function isOneWord({ text, words }: Phrase): boolean {
  return text === words.map(({ word, prefix }) => `${word}${prefix ? '*' : ''}`).join('');
}

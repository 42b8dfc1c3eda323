/** The body of each post of a group: the part that is alike in all of them and has the words, without head, signature and buttons. */
import { LINE, lineNumber, lineText, type PageContent, STOPS } from '../blocks.ts';
import { FLAG } from '../tags.ts';
import { nameTest } from './name-test.ts';
import type { PageElement, PageTree } from './page-tree.ts';
import type { PostElement } from './post-groups.ts';
import { ownWords } from './post-groups.ts';
import type { Prose } from './prose.ts';

type Lines = Pick<PageContent, 'text' | 'lines'>;

/** Least share of the words of a level that its body has, with and without a name of bodies. */
const LEAST_NAMED = 0.5;
const LEAST_UNNAMED = 0.8;
/** Least share of the members with words in which the body is found. */
const LEAST_FOUND = 0.6;
/** Least share of the words of a name's children that one child of each member has. */
const MOST_IN_ONE = 0.9;
const MAX_LEVELS = 12;
/** Parts of a text, of which a short post has one. */
const PARAGRAPHS = new Set(['p', 'ul', 'ol', 'blockquote', 'pre', 'dl', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** A part with a name of no body may still be one, if it has a larger share of the words than this. */
const MOST_OTHER = 0.4;

const BODY =
  /(?:^|[-_])(?:content|body|message|messages|text|cooked|bbwrapper|postbody|post-text|commtext|md|prose|usertext|e-content|entry|maintext|msg|userhtml|html-content|postcontent|p-summary)(?:$|[-_#])|(?:body|content|text|message|msg)$/;
/** Names of bodies that nothing else has. */
const STRICT_BODY =
  /^(?:cooked|bbwrapper|postbody|post-text|commtext|usertext-body|e-content|entry-content|comment-content|post-content|message-body)$/;
const BODY_PROPERTY = /^(?:text|articlebody|commenttext|reviewbody|description)$/i;
/** Parts of a post that are none of its text. */
const OTHER =
  /(?:^|[-_])(?:signature|sig|sigs|signatur|footer|foot|userinfo|user-info|userdetails|user|users|profile|postprofile|author|avatar|byline|meta|metadata|actions?|buttons?|btn|toolbar|controls?|tools|share|sharing|votes?|voting|score|likes?|liked|reactions?|attribution|edited|lastedit|editedby|lastedited|permalink|nav|rank|badges?|flair|menu|report|reply-?link|replylink|attachments?-?hint|expand(?:er|link)?|expandlink)(?:$|[-_#])|^(?:postprofile|postfoot|posthead|signature|expandlink)|user(?:info|block|details|card|panel)|authorpane/;

/** Is a class name one of bodies? */
export function isBodyName(name: string): boolean {
  return (BODY.test(name) || /(?:^|[-_])copy$/.test(name)) && !OTHER.test(name);
}

const IS_OTHER = nameTest(OTHER);
const IS_STRICT_BODY = nameTest(STRICT_BODY);

/** The bodies of members: the blocks of each, ascending. */
export interface Body {
  readonly blocks: readonly number[];
  /** The elements that make it. */
  readonly parts: readonly PageElement[];
}

export function postBodies(page: Lines, tree: PageTree, members: readonly PostElement[], prose: Prose): readonly Body[] {
  const repeated = repeatedLines(page, members);
  // Labels of a profile may be more words than a short post.
  const own = prose.without((block) => isLabel(lineText(page, block), repeated));
  const found = new Map<PostElement, readonly PageElement[]>();
  for (const kind of [0, 1]) {
    const alike = members.filter((member) => member.kind === kind);
    for (const [i, parts] of bodyParts(tree, alike, own).entries()) found.set(alike[i] as PostElement, parts);
  }
  const parts = members.map((member) => found.get(member) ?? []);
  return members.map((member, i) => {
    const own = parts[i] ?? [];
    return { parts: own, blocks: trimmed(page, bodyBlocks(page, tree, member, own, repeated)) };
  });
}

/** The innermost elements that are the bodies of members of one kind. */
function bodyParts(tree: PageTree, members: readonly PostElement[], prose: Prose): readonly (readonly PageElement[])[] {
  let parts: (readonly PageElement[])[] = members.map(({ part }) => [part]);
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const inner = innerBody(tree, members, parts, prose);
    if (inner === null) break;
    parts = parts.map((own, i) => inner[i] ?? own);
  }
  return parts;
}

/** The children that are the body in most members, by member; null if none is. A member without them keeps its body. */
function innerBody(
  tree: PageTree,
  members: readonly PostElement[],
  parts: readonly (readonly PageElement[])[],
  prose: Prose,
): readonly (readonly PageElement[] | null)[] | null {
  let all = 0;
  let withWords = 0;
  const slots = new Map<string, Slot>();
  for (const [i, member] of members.entries()) {
    const nested = new Set(member.inner.map(({ part }) => part.index));
    const own = (part: PageElement) => ownWords(within(member, part), prose);
    let memberWords = 0;
    for (const part of parts[i] ?? []) {
      memberWords += own(part);
      for (const [place, child] of childrenOf(tree, part).entries()) {
        if (child.isInline || PARAGRAPHS.has(child.tag) || nested.has(child.index)) continue;
        const childWords = own(child);
        if (childWords <= 0) continue;
        if (isOther(child)) {
          memberWords -= childWords;
          continue;
        }
        for (const key of slotsOf(child, place)) {
          const slot = slots.get(key) ?? { words: 0, best: new Map() };
          slots.set(key, slot);
          slot.words += childWords;
          if (childWords > (slot.best.get(i)?.words ?? 0)) slot.best.set(i, { part: child, words: childWords });
        }
      }
    }
    all += memberWords;
    if (memberWords > 0) withWords += 1;
  }
  let chosen: Slot | null = null;
  let most = 0;
  for (const [key, slot] of slots) {
    const weight = weightOf(key);
    const own = [...slot.best.values()].reduce((sum, { words }) => sum + words, 0);
    // Paragraphs are several.
    if (own < MOST_IN_ONE * slot.words || slot.best.size < LEAST_FOUND * withWords) continue;
    if (own < (weight > 1 ? LEAST_NAMED : LEAST_UNNAMED) * all || own * weight <= most) continue;
    chosen = slot;
    most = own * weight;
  }
  return chosen === null ? null : bestOf(chosen, members.length);
}

/** Children with one name: their words, and the child with the most of them in each member. */
interface Slot {
  words: number;
  readonly best: Map<number, { readonly part: PageElement; readonly words: number }>;
}

function bestOf({ best }: Slot, members: number): readonly (readonly PageElement[] | null)[] {
  return Array.from({ length: members }, (_, i) => {
    const found = best.get(i);
    return found === undefined ? null : [found.part];
  });
}

/** A body by its name counts more than another part with its words. */
function weightOf(key: string): number {
  return key.startsWith('@') || (BODY.test(key) && !OTHER.test(key)) ? 1.5 : 1;
}

/** The member as a part of it sees it. */
function within(member: PostElement, part: PageElement): PostElement {
  if (member.inner.length === 0) return { ...member, part };
  const from = member.inner.findIndex((inner) => inner.part.from >= part.from);
  if (from < 0) return { ...member, part, inner: [] };
  const to = member.inner.findIndex((inner, i) => i >= from && inner.part.from > part.to);
  return { ...member, part, inner: member.inner.slice(from, to < 0 ? undefined : to) };
}

function childrenOf({ parts }: PageTree, part: PageElement): PageElement[] {
  const found: PageElement[] = [];
  for (let child = parts[part.index + 1]; child !== undefined && child.index < part.end; child = parts[child.end]) found.push(child);
  return found;
}

/** Names by which a child is like one of another post; without a class, cells differ by their place. */
function slotsOf(part: PageElement, place: number): readonly string[] {
  const { tag, names } = part;
  const property = part.attribute('itemprop');
  const keys = [...names.names];
  if (property !== undefined && BODY_PROPERTY.test(property)) keys.push(`@${property}`);
  if (keys.length > 0) return [...new Set(keys)];
  if (tag !== 'td' && tag !== 'tr' && tag !== 'dd') return [`<${tag}`];
  return [`<${tag}#${place}`];
}

/** The blocks of a body that are words of the post. */
function bodyBlocks(
  page: Lines,
  tree: PageTree,
  { inner }: PostElement,
  parts: readonly PageElement[],
  repeated: ReadonlySet<string>,
): number[] {
  const blocks: number[] = [];
  for (const part of parts) {
    const skipped = [...inner.map((member) => member.part), ...othersIn(tree, part)].map(({ first, last }) => [first, last] as const);
    skipped.sort(([a], [b]) => a - b);
    let next = 0;
    for (let block = part.first; block <= part.last; block += 1) {
      while (next < skipped.length && (skipped[next]?.[1] ?? 0) < block) next += 1;
      if (next < skipped.length && (skipped[next]?.[0] ?? 0) <= block) continue;
      if (lineNumber(page.lines, block, LINE.flags) & FLAG.hidden) continue;
      if (!repeated.has(lineKey(lineText(page, block)))) blocks.push(block);
    }
  }
  return [...new Set(blocks)].sort((a, b) => a - b);
}

/** Signatures, profiles and bars of buttons in a body, by their names. */
function othersIn(tree: PageTree, part: PageElement): readonly PageElement[] {
  const found: PageElement[] = [];
  for (let at = part.index + 1; at < part.end; ) {
    const inner = tree.parts[at];
    if (inner === undefined) break;
    if (inner.last >= inner.first && isOther(inner) && inner.last - inner.first <= MOST_OTHER * (part.last - part.first + 1)) {
      found.push(inner);
      at = inner.end;
    } else at += 1;
  }
  return found;
}

function isOther(part: PageElement): boolean {
  const { names, isInline } = part;
  return !isInline && ((names.has(IS_OTHER) && !names.has(IS_STRICT_BODY)) || /^(?:sig|edit_?note)/i.test(part.attribute('id') ?? ''));
}

/** Longest line that posts repeat on purpose, in characters: buttons, labels of a profile. */
const MAX_REPEATED_CHARS = 40;

/** Lines that many posts have: labels of profiles, buttons. */
function repeatedLines(page: Lines, members: readonly PostElement[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { part, inner } of members) {
    const own = new Set<string>();
    let next = 0;
    for (let block = part.first; block <= part.last; block += 1) {
      while (next < inner.length && (inner[next]?.part.last ?? 0) < block) next += 1;
      if (next < inner.length && (inner[next]?.part.first ?? 0) <= block) continue;
      const key = lineKey(lineText(page, block));
      if (key !== '') own.add(key);
    }
    for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = members.length <= 3 ? members.length : Math.max(3, Math.ceil(0.4 * members.length));
  return new Set([...counts].flatMap(([key, count]) => (count >= Math.max(2, least) ? [key] : [])));
}

/** A short line without its numbers; '' for others. */
function lineKey(text: string): string {
  if (text.length > MAX_REPEATED_CHARS || STOPS.includes(text.at(-1) ?? '')) return text === 'Click to expand...' ? text : '';
  return text.toLowerCase().replaceAll(/\d+/g, '#');
}

/** Words of a line that may be a label or a value of a profile. */
const LABEL_CHARS = 24;

function isLabel(text: string, repeated: ReadonlySet<string>): boolean {
  return (
    repeated.has(lineKey(text)) ||
    (text.length <= LABEL_CHARS && !STOPS.includes(text.at(-1) ?? '') && /^[^:]{2,14}:\s*\S|\d{4}$/.test(text))
  );
}

const AFTER =
  /^(?:last edited|edited|zuletzt (?:bearbeitet|geändert)|dernière (?:édition|modification)|última edición|last modified|reply|quote|report|permalink|share|like|link|flag|edit|view entire (?:post|comment)|\d+ (?:likes?|points?|repl(?:y|ies)))\b.{0,80}$/iu;
const SIGNATURE_RULE = /^(?:_{4,}|-{2,}|[-—_=*]{5,})$/;

/** Blocks without lines of links and of buttons at the ends, and without a signature below its rule. */
function trimmed(page: Lines, blocks: readonly number[]): readonly number[] {
  let from = 0;
  let to = blocks.length;
  const rule = blocks.findIndex((block, i) => i > 0 && SIGNATURE_RULE.test(lineText(page, block)));
  if (rule > 0 && blocks.length - rule <= 8) to = rule;
  const textAt = (i: number) => lineText(page, blocks[i] ?? 0);
  while (to > from && (AFTER.test(textAt(to - 1)) || isShortLink(page, blocks[to - 1] ?? 0))) to -= 1;
  while (from < to && isShortLink(page, blocks[from] ?? 0)) from += 1;
  return blocks.slice(from, to);
}

function isShortLink({ lines }: Lines, block: number): boolean {
  const words = lineNumber(lines, block, LINE.halfWords) / 2;
  return words <= 3 && 2 * lineNumber(lines, block, LINE.linkHalfWords) > lineNumber(lines, block, LINE.halfWords);
}

/** Cheap evidence that a page may have a thread: most pages have none, and are not read a second time. */
import { LINE, LINE_SIZE, lineNumber, type PageContent, STOPS } from '../blocks.ts';
import { ROLE } from '../main-text.ts';
import { FLAG, NOT_COUNTED } from '../tags.ts';

/** Longest line of a head, and of a name, in characters. */
const MAX_HEAD_CHARS = 90;
const MAX_NAME_CHARS = 40;
/** Fewer posts are no sequence. */
const LEAST_HEADS = 2;
/** Result for the head of a mail. */
const MAIL = 1_000;
/** Names of posts in the tags: with the second number, one head is enough, since two may differ. */
const LEAST_NAMES = 2;
const ENOUGH_NAMES = 12;
const PRIME = 31;
/** Words of a post's body, in halves, for its head to count. */
const LEAST_BODY = 2 * 5;
/** A day with its year, a time of day, or a time since then. */
const WHEN =
  /\d(?:st|nd|rd|th|\.)?,?\s(?:(?:de\s)?[^\s\d]{3,12},?\s(?:de\s)?)?(?:19|20)\d\d(?!\d)|(?:19|20)\d\d(?:[-/.]\d|年)|\d([./-])\d{1,2}\1\d\d|\d:\d\d(?:\s?[apAP]\.?[mM]|:\d\d)|\d\s?[a-z]{1,8}\s[aA]go\b|\d\s?[^\s\d]{1,2}前|(?:vor|hace|il y a) \d/;
const DECLARED = /"(?:DiscussionForumPosting|QAPage|Comment|UserComments)"|"blogPosts?"\s*:/;
const DECLARED_TEXT = /"(?:text|articleBody|commentText)"\s*:/;
/** Blocks that are looked at no further; the head of a post may be a `header`. */
const UNSEEN = NOT_COUNTED & ~(FLAG.header | FLAG.footer);

type Page = Pick<PageContent, 'text' | 'lines' | 'blocks' | 'jsonLd'>;

/** May a page have a thread? O(blocks + length of the page), and mostly O(blocks). @param roles of its blocks */
export function mayHaveThread(page: Page, html: string, roles: Uint8Array): boolean {
  if (page.jsonLd.some((script) => DECLARED.test(script) && DECLARED_TEXT.test(script))) return true;
  const heads = headsIn(page, roles);
  if (heads === MAIL) return true;
  if (heads < LEAST_HEADS) return false;
  const alike = alikeIn(page, roles);
  if (alike >= LEAST_HEADS && SIGN.test(page.text)) return true;
  return alike > 0 && hasNames(html, alike >= LEAST_HEADS ? LEAST_NAMES : ENOUGH_NAMES);
}

/** Elements with the name of a post: each post has some. Most pages have one: `<body class="post">`. */
const POST_NAME =
  /(?:class|id|itemprop|itemtype|component)\s*=\s*["']?[^"'>]*(?:comment|post|repl[yi]|answer|message|msg|topic|thread|entry|e-?mail|discussion)/gi;
/** Words beside the texts of posts without such names. */
const SIGN = /\b(?:posted|wrote|guest|repl(?:y|ies)|quote|from|gast|schrieb|antworten|a écrit|répondre|escribió|responder)\b/i;

/** Are there so many such elements? */
function hasNames(html: string, least: number): boolean {
  POST_NAME.lastIndex = 0;
  let count = 0;
  while (count < least && POST_NAME.test(html)) count += 1;
  return count >= least;
}

/** Number of short lines with a day, alike by their flags, that have a body below them; `MAIL` for the head of a mail. */
function headsIn(page: Page, roles: Uint8Array): number {
  return mostAlike(page, roles, (head) => lineNumber(page.lines, head, LINE.flags) & ~FLAG.link, LEAST_HEADS);
}

/** Number of such lines in elements of the same names, with bodies in elements of the same names. */
function alikeIn(page: Page, roles: Uint8Array): number {
  const path = (block: number) => page.blocks[block]?.details.tagPath ?? 0;
  return mostAlike(page, roles, (head, body) => path(head) * PRIME + path(body), LEAST_HEADS);
}

/** The largest number of heads with one key; `enough` ends the search. */
function mostAlike({ text, lines }: Page, roles: Uint8Array, keyOf: (head: number, body: number) => number, enough: number): number {
  let most = 0;
  let first = 0;
  const heads = new Map<number, number>();
  let open = -1;
  let body = 0;
  for (let i = 0, at = 0; i < roles.length; i += 1, at += LINE_SIZE) {
    const flags = lines[at + LINE.flags] as number;
    if (flags & UNSEEN) continue;
    const start = lines[at + LINE.start] as number;
    const end = lines[at + LINE.end] as number;
    if (end - start <= MAX_HEAD_CHARS && (isHead(text, start, end, flags) || isNameOfComment(lines, at))) {
      open = i;
      body = 0;
    } else if (open >= 0 && (roles[i] === ROLE.text || (flags & FLAG.comments) !== 0)) {
      const halfWords = lines[at + LINE.halfWords] as number;
      if (2 * (lines[at + LINE.linkHalfWords] as number) > halfWords) continue;
      // The head of a mail.
      if (flags & FLAG.pre && body === 0) return MAIL;
      if (body === 0) first = i;
      body += halfWords;
      if (body < LEAST_BODY) continue;
      const key = keyOf(open, first);
      const count = (heads.get(key) ?? 0) + 1;
      most = Math.max(most, count);
      if (most >= enough) return most;
      heads.set(key, count);
      open = -1;
    }
  }
  return most;
}

/** A short line with a day, or with the class name of an author in a post. */
function isHead(text: string, start: number, end: number, flags: number): boolean {
  if (end - start < MAX_NAME_CHARS && (flags & FLAG.bio) !== 0 && ((flags & POST) === POST || (flags & FLAG.comments) !== 0)) return true;
  if (!hasDigit(text, start, end)) return false;
  const line = text.slice(start, end);
  return WHEN.test(line) && !STOPS.includes(line.at(-1) as string);
}

/** Each form of `WHEN` has a digit, and few short lines have one. */
function hasDigit(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) return true;
  }
  return false;
}

/** A link that is short, as the names above comments are. */
function isNameOfComment(lines: Int32Array, at: number): boolean {
  const isComment = ((lines[at + LINE.flags] as number) & (FLAG.comments | FLAG.form)) === FLAG.comments;
  return isComment && (lines[at + LINE.halfWords] as number) <= 8 && (lines[at + LINE.linkHalfWords] as number) > 0;
}

const POST = FLAG.item | FLAG.body;

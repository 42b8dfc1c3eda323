/** Cheap evidence that a page may have a thread: most pages have none, and are not read a second time. */
import { LINE, LINE_SIZE, type PageContent, STOPS } from '../blocks.ts';
import { ROLE } from '../main-text.ts';
import { FLAG, NOT_COUNTED } from '../tags.ts';

/** Longest line of a head, in characters. */
const MAX_HEAD_CHARS = 90;
const MAX_NAME_CHARS = 40;
/** Fewer posts are no sequence. */
const LEAST_HEADS = 2;
/** Words of a post's body, in halves, for its head to count. */
const LEAST_BODY = 2 * 5;
/** Words of readers' comments, in halves. */
const LEAST_COMMENTS = 2 * 15;
/** A day with its year, a time of day, or a time since then. */
const WHEN =
  /\d:\d\d|\d\D{1,12}(?:19|20)\d\d(?!\d)|(?:19|20)\d\d[-/.年]\s?\d|\d\s?\w{0,8}\sago\b|\byesterday\b|\bvor \d|\bhace \d|\bil y a \d|\d\s?\S{1,2}前/i;
const DECLARED = /"(?:DiscussionForumPosting|QAPage|Comment|UserComments)"|"blogPosts?"\s*:/;

/** A short line with a day, or with the class name of an author. */
function isHead(text: string, start: number, end: number, flags: number): boolean {
  if (end - start > MAX_HEAD_CHARS || STOPS.includes(text[end - 1] as string)) return false;
  return ((flags & FLAG.bio) !== 0 && end - start < MAX_NAME_CHARS) || WHEN.test(text.slice(start, end));
}

/** Blocks that are looked at no further; the head of a post may be a `header`. */
const UNSEEN = NOT_COUNTED & ~(FLAG.header | FLAG.footer);

/** May a page have a thread? O(blocks). @param roles of its blocks */
export function mayHaveThread({ text, lines, jsonLd }: Pick<PageContent, 'text' | 'lines' | 'jsonLd'>, roles: Uint8Array): boolean {
  let comments = 0;
  let body = LEAST_BODY;
  /** Heads with a body, by their flags: those of one thread are alike. */
  const heads = new Map<number, number>();
  let open = -1;
  for (let i = 0; i < roles.length; i += 1) {
    const at = LINE_SIZE * i;
    const flags = lines[at + LINE.flags] as number;
    if (flags & UNSEEN) continue;
    const start = lines[at + LINE.start] as number;
    const end = lines[at + LINE.end] as number;
    const halfWords = lines[at + LINE.halfWords] as number;
    const isComment = (flags & FLAG.comments) !== 0;
    if (isHead(text, start, end, flags)) {
      open = flags & ~FLAG.link;
      body = 0;
    } else if (2 * (lines[at + LINE.linkHalfWords] as number) <= halfWords && (isComment || roles[i] === ROLE.text)) {
      if (isComment) comments += halfWords;
      body += halfWords;
      // The head of a mail.
      if (open >= 0 && flags & FLAG.pre && body === halfWords) return true;
      if (open >= 0 && body >= LEAST_BODY) {
        const count = (heads.get(open) ?? 0) + 1;
        if (count >= LEAST_HEADS) return true;
        heads.set(open, count);
        open = -1;
      }
    }
  }
  return comments >= LEAST_COMMENTS || jsonLd.some((script) => DECLARED.test(script));
}

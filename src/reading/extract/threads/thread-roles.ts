/** The roles of a thread's blocks: a post that is content makes its sisters content, without their heads. */
import { LINE, lineNumber, lineText, type PageContent } from '../blocks.ts';
import { ROLE, RULE } from '../main-text.ts';
import type { FoundPost, Thread } from './thread.ts';

/** Least share of the words of the posts that the method keeps, for all of them to be kept. */
const LEAST_KEPT = 0.5;
/** Shorter quotes are read faster where they are than in the post before. On the development pages, .771 with this length, .757 with all quotes. */
const MIN_COPY_CHARS = 150;
/** Least share of the words of the text, without the heads of posts, that are of posts. */
const LEAST_OF_TEXT = 0.5;

/** Blocks of quotes that repeat a long text of an earlier post: the text has it already. */
function copiesIn(posts: readonly FoundPost[], page: Pick<PageContent, 'text' | 'lines'>): ReadonlySet<number> {
  const seen = new Set<string>();
  const copies = new Set<number>();
  for (const { body, quoted } of posts)
    for (const block of body) {
      const text = lineText(page, block);
      if (!quoted.has(block)) seen.add(text);
      else if (text.length >= MIN_COPY_CHARS && seen.has(text)) copies.add(block);
    }
  return copies;
}

/** Posts by kind, and the first ones apart from the replies to them. */
function alikePosts(posts: readonly FoundPost[]): Iterable<readonly FoundPost[]> {
  const found = new Map<string, FoundPost[]>();
  for (const post of posts) {
    const key = `${post.kind} ${post.depth > 0}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [post]);
    else known.push(post);
  }
  return found.values();
}

/**
 * Changes roles and rules; nothing if the posts are not most of the text. Posts of a kind that the method leaves out stay out: comments below an article,
 * or on answers.
 * @param rules of the blocks, if they are wanted
 */
export function keepThread(
  { posts }: Thread,
  page: Pick<PageContent, 'text' | 'lines'>,
  roles: Uint8Array,
  rules: Uint8Array | null,
): void {
  const { lines } = page;
  const copies = copiesIn(posts, page);
  const words = (blocks: Iterable<number>, isCounted: (block: number) => boolean) => {
    let sum = 0;
    for (const block of blocks) if (isCounted(block)) sum += lineNumber(lines, block, LINE.halfWords);
    return sum;
  };
  const isText = (block: number) => roles[block] === ROLE.text;
  const all = words(roles.keys(), isText);
  const bodies = posts.reduce((sum, { body }) => sum + words(body, isText), 0);
  const rests = posts.reduce((sum, { rest }) => sum + words(rest, isText), 0);
  if (bodies < LEAST_OF_TEXT * (all - rests)) return;
  const set = (block: number, role: number) => {
    if (roles[block] === role || (role !== ROLE.text && roles[block] !== ROLE.text)) return;
    roles[block] = role;
    if (rules !== null) rules[block] = RULE.post;
  };
  for (const alike of alikePosts(posts)) {
    const kept = alike.reduce((sum, { body }) => sum + words(body, isText), 0);
    const isContent = kept >= LEAST_KEPT * alike.reduce((sum, { body }) => sum + words(body, () => true), 0);
    for (const { body, rest, title } of alike) {
      for (const block of body) if (isContent) set(block, copies.has(block) ? ROLE.links : ROLE.text);
      for (const block of rest) set(block, isContent && block === title ? ROLE.text : ROLE.links);
    }
  }
}

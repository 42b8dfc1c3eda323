/** The posts of a thread as records have them, and their heads. */
import type { EpochMs, Post } from '../../../base/core/types.ts';
import { type LinkBase, resolveLink } from '../../../base/web/link-query.ts';
import type { PageContent } from '../blocks.ts';
import { quotedText } from '../line-notes.ts';
import { isToCome } from '../times.ts';
import type { FoundPost, Thread } from './thread.ts';

/** @param now the date: a later day is none of a post */
export function postsOf(posts: readonly FoundPost[], page: PageContent, base: LinkBase, now: EpochMs): readonly Post[] {
  const least = Math.min(...posts.map(({ depth }) => depth));
  return posts.map(({ author, published, body, quoted, words, depth, href }) => ({
    author,
    published: published === null || isToCome(published, now) ? null : published,
    text: words ?? quotedText(page, body, (block) => quoted.has(block)),
    depth: depth - least,
    url: href === null ? null : addressOf(href, base),
  }));
}

function addressOf(href: string, base: LinkBase): string | null {
  const url = resolveLink(href, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

/** The step of a writer at each block with which a post begins, or the rest of the page. @param isKept is a block written? */
export function postSteps(
  { posts }: Thread,
  blocks: number,
  isKept: (block: number) => boolean,
  step: (index: number | null) => void,
): ReadonlyMap<number, () => void> {
  const owners = new Map<number, number>();
  for (const [index, { body, title }] of posts.entries())
    for (const block of [...body, ...(title === null ? [] : [title])]) owners.set(block, index);
  const steps = new Map<number, () => void>();
  let open: number | null = null;
  for (let block = 0; block < blocks; block += 1) {
    if (!isKept(block)) continue;
    const owner = owners.get(block) ?? null;
    if (owner !== open) steps.set(block, () => step(owner));
    open = owner;
  }
  return steps;
}

/** Is a block of a quote? */
export function quoteTest({ posts }: Thread): (block: number) => boolean {
  const quoted = new Set(posts.flatMap((post) => [...post.quoted]));
  return (block) => quoted.has(block);
}

/** A line for the head of each post, by the first block of its body: `Ada Vale, 2021-05-03T10:00`. A post whose head is unknown has none. */
export function postHeads(found: readonly FoundPost[], posts: readonly Pick<Post, 'author' | 'published'>[]): ReadonlyMap<number, string> {
  const heads = new Map<number, string>();
  for (const [i, { author, published }] of posts.entries()) {
    const block = found[i]?.body[0];
    const head = [author, published].filter((part) => part !== null).join(', ');
    if (block !== undefined && head !== '') heads.set(block, head);
  }
  return heads;
}

/** Posts that a page declares in JSON-LD: `DiscussionForumPosting`, `QAPage`, `Comment`, lists of `BlogPosting`. */
import { decoded } from '../character-references.ts';
import type { LinkedObject } from '../json-ld.ts';
import { jsonValues } from '../loose-json.ts';
import { statedDate } from '../statements.ts';
import { nameOf } from './head-marks.ts';
import { MAX_POST_DEPTH, MAX_POSTS } from './post-groups.ts';
import type { FoundPost } from './thread.ts';

const POST = /(?:^|\/)(?:DiscussionForumPosting|SocialMediaPosting|Question|Answer|Comment|UserComments|BlogPosting)$/;
/** Types that are a post although no other is declared. */
const ALONE = /(?:^|\/)(?:DiscussionForumPosting|Question)$/;
/** Properties around posts, and those of replies. */
const AROUND = ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemListElement', 'item', 'blogPost', 'blogPosts', 'hasPart'] as const;
const REPLIES = ['acceptedAnswer', 'suggestedAnswer', 'comment', 'reply', 'answer'] as const;
const TEXTS = ['text', 'articleBody', 'commentText', 'description'] as const;
/** Objects that are looked at, and characters of one text. */
const MAX_OBJECTS = 10_000;
const MAX_CHARS = 200_000;
/** Characters by which a declared post is known on the page. */
const KEY_CHARS = 40;

/** A declared post. */
export interface DeclaredPost {
  readonly author: string | null;
  readonly published: string | null;
  readonly url: string | null;
  readonly text: string;
  readonly depth: number;
}

/** The posts of JSON-LD scripts, in their order. [] for a single one that may be the page itself. Time O(length), never throws. */
export function declaredPosts(scripts: readonly string[]): readonly DeclaredPost[] {
  const reader = new Reader();
  for (const value of scripts.flatMap(jsonValues)) reader.read(value, 0, 0);
  const headed = reader.posts.filter(({ author, published }) => author !== null || published !== null).length;
  return 2 * headed >= reader.posts.length && (reader.posts.length > 1 || reader.isThread) ? reader.posts : [];
}

class Reader {
  readonly posts: DeclaredPost[] = [];
  isThread = false;
  readonly #seen = new Set<string>();
  #left = MAX_OBJECTS;

  /** @param level of nesting in JSON @param depth of replies */
  read(value: unknown, level: number, depth: number): void {
    this.#left -= 1;
    if (level > 4 * MAX_POST_DEPTH || this.#left < 0 || this.posts.length >= MAX_POSTS) return;
    if (Array.isArray(value)) {
      for (const item of value) this.read(item, level + 1, depth);
      return;
    }
    if (!isObject(value)) return;
    const types = [value['@type']].flat().filter((type) => typeof type === 'string');
    // Nobody asked those questions.
    if (types.includes('FAQPage')) return;
    if (types.some((type) => POST.test(type))) this.#add(value, depth);
    this.isThread ||= this.posts.length > 0 && types.some((type) => ALONE.test(type));
    const isPost = types.some((type) => /(?:Posting|Question|Answer|Comments?|Article)$/.test(type));
    for (const name of AROUND) if (value[name] !== undefined) this.read(value[name], level + 1, depth);
    for (const name of REPLIES) if (value[name] !== undefined) this.read(value[name], level + 1, depth + (isPost ? 1 : 0));
  }

  #add(node: LinkedObject, depth: number): void {
    const text = plainText(TEXTS.map((name) => node[name]).find((written) => typeof written === 'string' && written.trim() !== ''));
    const key = keyOf(text);
    if (key === '' || this.#seen.has(key)) return;
    this.#seen.add(key);
    const date = [node['datePublished'] ?? node['dateCreated']].flat()[0];
    this.posts.push({
      author: authorOf(node['author'] ?? node['creator']),
      published: typeof date === 'string' ? statedDate(date) : null,
      url: [node['url'], node['@id']].filter((url) => typeof url === 'string').find((url) => /^https?:/.test(url)) ?? null,
      text,
      depth: Math.min(depth, MAX_POST_DEPTH),
    });
  }
}

function isObject(value: unknown): value is LinkedObject {
  return typeof value === 'object' && value !== null;
}

function authorOf(value: unknown): string | null {
  const [first] = [value].flat();
  const name = isObject(first) ? first['name'] : first;
  return typeof name === 'string' ? nameOf(name) : null;
}

/** A text of JSON-LD, which may be HTML. */
function plainText(written: unknown): string {
  if (typeof written !== 'string') return '';
  const text = written.slice(0, MAX_CHARS);
  const lines = /<\/?[a-z][^>]*>/i.test(text)
    ? text.replaceAll(/<br\s*\/?>|<\/(?:p|div|li|blockquote)>/gi, '\n').replaceAll(/<[^>]*>/g, '')
    : text;
  return decoded(lines)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The first letters and digits of a text: enough to know it again. */
export function keyOf(text: string): string {
  return text
    .slice(0, 4 * KEY_CHARS)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .slice(0, KEY_CHARS);
}

/** The posts found on a page, with the parts that only the page's declarations state. */
export function completed(
  found: readonly FoundPost[],
  declared: readonly DeclaredPost[],
  textOf: (post: FoundPost) => string,
): readonly FoundPost[] {
  const byKey = new Map(declared.map((post) => [keyOf(post.text), post]));
  return found.map((post) => {
    const known = byKey.get(keyOf(textOf(post)));
    return known === undefined
      ? post
      : { ...post, author: post.author ?? known.author, published: post.published ?? known.published, href: post.href ?? known.url };
  });
}

/** Declared posts as those of a page that shows none of them in a form that is known. */
export function asFound({ author, published, url, text, depth }: DeclaredPost): FoundPost {
  return { author, published, href: url, depth, kind: 0, body: [], rest: [], title: null, quoted: new Set(), words: text };
}

/** The depth of each post: by the elements around it, or by the attributes of its own. */
import type { PageElement, PageTree } from './page-tree.ts';
import { MAX_POST_DEPTH, type PostElement } from './post-groups.ts';

/** Elements at the start of a post among which an indent may be. */
const MAX_INDENT_PARTS = 12;

export function depthsOf(members: readonly PostElement[], tree: PageTree): readonly number[] {
  const placed = placedDepths(members, tree);
  const depths = new Set(placed).size > 1 ? placed : writtenDepths(members, tree);
  return depths.map((depth) => Math.min(MAX_POST_DEPTH, depth));
}

/**
 * A post in an element like that of an earlier post, beside it, has the depth of that post. In another element, beside or inside, it is a reply to it.
 * O(elements).
 */
function placedDepths(members: readonly PostElement[], { parts }: PageTree): readonly number[] {
  /** The first member in each element, and the child of the element that has it. */
  const firsts = new Map<number, { readonly member: number; readonly branch: PageElement | null }>();
  const depths: number[] = [];
  const own = new Set(members.map(({ part }) => part));
  const areAlike = (a: PageElement, b: PageElement) => (own.has(a) && own.has(b)) || areNamedAlike(a, b);
  for (const [i, { part }] of members.entries()) {
    let branch: PageElement | null = null;
    let above: PageElement | undefined = part;
    while (above !== undefined && !firsts.has(above.index)) {
      firsts.set(above.index, { member: i, branch });
      branch = above;
      above = parts[above.parent];
    }
    const first = above && firsts.get(above.index);
    const isBeside = first?.branch != null && branch !== null && areAlike(first.branch, branch);
    depths.push(first === undefined ? 0 : (depths[first.member] ?? 0) + (isBeside ? 0 : 1));
  }
  return depths;
}

function areNamedAlike(a: PageElement, b: PageElement): boolean {
  const [own, others] = [a.names.names, b.names.names];
  if (a.tag !== b.tag || (own.length === 0) !== (others.length === 0)) return false;
  return own.length === 0 ? idOf(a) === idOf(b) : own.some((name) => others.includes(name));
}

function idOf(part: PageElement): string {
  return (part.attribute('id') ?? '').replaceAll(/\d+/g, '#');
}

function writtenDepths(members: readonly PostElement[], tree: PageTree): readonly number[] {
  const written = members.map(({ part }) => writtenDepth(part, tree));
  const known = written.filter((depth) => depth !== null);
  if (2 * known.length < members.length) return members.map(() => 0);
  const steps = [...new Set(known)].sort((a, b) => a - b);
  return written.map((depth) => (depth === null ? 0 : steps.indexOf(depth)));
}

function writtenDepth(part: PageElement, { parts }: PageTree): number | null {
  const own = depthIn(part);
  if (own !== null) return own;
  // The cell of an indent in a table of comments.
  for (let at = part.index + 1; at < Math.min(part.end, part.index + MAX_INDENT_PARTS); at += 1) {
    const part = parts[at] as PageElement;
    const indent = part.attribute('indent');
    if (indent !== undefined && /^\d{1,3}$/.test(indent)) return Number(indent);
    const width =
      part.tag === 'img' && /s\.gif|spacer|blank|trans|pixel/.test(part.attribute('src') ?? '') ? part.attribute('width') : undefined;
    if (width !== undefined) return Number.parseInt(width, 10) || 0;
  }
  return null;
}

const DEPTH_NAME = /(?:^|\s)(?:depth|level|indent|lvl|thread-?level|comment-depth|reply-depth)[-_]?(\d{1,3})(?:\s|$)/i;
const MARGIN = /(?:margin|padding)-left\s*:\s*(\d{1,4}(?:\.\d+)?)(?:px|em|rem|%)/i;

function depthIn(part: PageElement): number | null {
  for (const name of ['data-depth', 'data-level', 'data-indent', 'aria-level']) {
    const written = part.attribute(name);
    if (written !== undefined && /^\d{1,3}$/.test(written)) return Number(written);
  }
  const named = DEPTH_NAME.exec(part.className)?.[1] ?? MARGIN.exec(part.attribute('style') ?? '')?.[1];
  return named === undefined ? null : Number(named);
}

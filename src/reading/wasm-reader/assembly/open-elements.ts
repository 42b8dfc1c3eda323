/** The open elements, innermost last: element-stack.ts. */
import { FNV_PRIME, take } from './arena';
import { endElementAt } from './element-rows';
import { addOpen, divTag, hashOfTag, isScope, kindOf, openOf, specialOf } from './tag-table';
import { BLOCK, CELL, INLINE } from './text-blocks';

export const MAX_DEPTH: i32 = 4096;
const MAX_REACH: i32 = 256;
const PATH_LENGTH: i32 = 6;
const FAR: i32 = 7;

const SIZE: i32 = 4096 * 4;
const tagsOpen: usize = memory.data(SIZE);
const flagsOpen: usize = memory.data(SIZE);
const own: usize = memory.data(SIZE);
const classes: usize = memory.data(SIZE);
const block: usize = memory.data(SIZE);
const outer: usize = memory.data(SIZE);
const depths: usize = memory.data(SIZE);
const nodes: usize = memory.data(SIZE);
const kinds: usize = memory.data(SIZE);
/** Edge of each element, and in the second byte the white space that it and the elements around it keep: line-edges.ts. */
const edges: usize = memory.data(SIZE);
/** Flags of each element that say which of `quiet` and `spoken` its children with text have. */
const voices: usize = memory.data(SIZE);
/** The number of each among the elements of the page. */
const rows: usize = memory.data(SIZE);

/** The flags whose distance counts, one bit each, from the host. */
const nearHints: usize = memory.data(4 * 4);

/** Parents of the nodes so far; node 0 is the page. */
export let parents: usize = 0;
export let nodeCount: i32 = 0;
export let depth: i32 = 0;

// The last place: see `locate`.
export let tagHere: i32 = -1;
export let node: i32 = 0;
export let depthHere: i32 = 0;
export let tagPath: i32 = 0;
export let classPath: i32 = 0;
export let near: i32 = 0;

/** Address of the four flags. */
export function nearHintsAt(): usize {
  return nearHints;
}

function at(array: usize, index: i32): i32 {
  return load<i32>(array + ((<usize>index) << 2));
}
function put(array: usize, index: i32, value: i32): void {
  store<i32>(array + ((<usize>index) << 2), value);
}

export function startStack(length: i32): void {
  while (depth > 0) pop();
  // A node needs a tag of three units.
  parents = take((<usize>(length / 3 + 8)) << 2);
  put(parents, 0, -1);
  nodeCount = 1;
}

export function flagsHere(): i32 {
  return depth === 0 ? 0 : at(flagsOpen, depth - 1);
}

/** The innermost open element; -1 if there is none, or if its end tag came out of order. */
export function topTag(): i32 {
  return depth === 0 ? -1 : at(tagsOpen, depth - 1);
}

/** The white space that is kept at the current place. */
export function keepsHere(): u32 {
  return depth === 0 ? 0 : <u32>at(edges, depth - 1) >>> 8;
}

/** The edge of an element that is open, or was popped last. */
export function edgeAt(index: i32): u32 {
  return <u32>at(edges, index) & 255;
}

/** @param row its number among the elements of the page; -1 for none */
export function push(tag: i32, kind: u32, ownFlags: i32, classHash: i32, edge: u32, kept: u32, row: i32): void {
  const here = depth;
  const around = here === 0 ? -1 : at(block, here - 1);
  const isBlock = kind === BLOCK || kind === CELL;
  put(tagsOpen, here, tag);
  put(flagsOpen, here, flagsHere() | ownFlags);
  put(own, here, ownFlags);
  put(classes, here, classHash);
  put(block, here, isBlock ? here : around);
  put(outer, here, around);
  put(depths, here, isBlock ? (around < 0 ? 1 : at(depths, around) + 1) : 0);
  put(nodes, here, -1);
  put(kinds, here, <i32>kind);
  put(edges, here, <i32>(edge | (kept << 8)));
  put(voices, here, 0);
  put(rows, here, row);
  depth++;
  addOpen(tag, 1);
}

export function forgetPlace(): void {
  tagHere = -1;
  node = depthHere = tagPath = classPath = near = 0;
}

/** Sets the current place; its elements have nodes from now on. */
export function locate(): void {
  const here = depth === 0 ? -1 : at(block, depth - 1);
  if (here < 0) {
    forgetPlace();
    return;
  }
  let tagHash: u32 = 0;
  let classHash: u32 = 0;
  for (let i = here, left = PATH_LENGTH; i >= 0 && left > 0; i = at(outer, i), left--) {
    const tag = at(tagsOpen, i);
    const hash = tag < 0 ? 0 : hashOfTag(tag);
    tagHash = (tagHash ^ hash) * FNV_PRIME;
    classHash = (classHash ^ hash ^ <u32>at(classes, i)) * FNV_PRIME;
  }
  tagHere = blockTag(here);
  node = nodeOf(here);
  depthHere = at(depths, here);
  tagPath = <i32>tagHash;
  classPath = <i32>classHash;
  near = nearness();
}

/** An element that is block-level by its style is like a `div`. */
function blockTag(index: i32): i32 {
  const tag = at(tagsOpen, index);
  return tag >= 0 && kindOf(tag) === INLINE ? divTag : tag;
}

/** `specialOf` the innermost block-level element; 0 outside all. */
export function blockSpecial(): u32 {
  const here = depth === 0 ? -1 : at(block, depth - 1);
  const tag = here < 0 ? -1 : blockTag(here);
  return tag < 0 ? 0 : specialOf(tag);
}

export function kindAt(index: i32): u32 {
  return <u32>at(kinds, index);
}

/** The flags that an element adds. */
export function ownAt(index: i32): i32 {
  return at(own, index);
}

/** The innermost element that adds `flag`; -1 if none of the `MAX_REACH` innermost does. */
export function innermostWith(flag: i32): i32 {
  const last = max(0, depth - MAX_REACH);
  for (let i = depth - 1; i >= last; i--) if (at(own, i) & flag) return i;
  return -1;
}

/** The voices among the elements around the one at `index`. */
export function voicesBeside(index: i32): i32 {
  return index > 0 ? at(voices, index - 1) : 0;
}

export function addVoice(index: i32, flag: i32): void {
  if (index > 0) put(voices, index - 1, at(voices, index - 1) | flag);
}

function nearness(): i32 {
  let found = 0;
  let left = flagsHere() & (at(nearHints, 0) | at(nearHints, 1) | at(nearHints, 2) | at(nearHints, 3));
  for (let distance = 0; distance < FAR && left !== 0; distance++) {
    const index = depth - 1 - distance;
    const given = index < 0 ? 0 : at(own, index) & left;
    if (given === 0) continue;
    left &= ~given;
    for (let rank = 0; rank < 4; rank++) if (given & at(nearHints, rank)) found |= (FAR - distance) << (3 * rank);
  }
  return found;
}

/** The node of an open element; its elements outside get nodes first, from the outermost. */
function nodeOf(here: i32): i32 {
  let i = here;
  let missing = 0;
  while (i >= 0 && at(nodes, i) < 0) {
    missing++;
    i = at(outer, i);
  }
  const first = i < 0 ? 0 : at(nodes, i);
  if (missing === 0) return first;
  // Numbers from the innermost down; the outermost of the missing ones comes first.
  let number = nodeCount + missing - 1;
  nodeCount += missing;
  for (i = here; missing > 0; i = at(outer, i), missing--, number--) {
    put(nodes, i, number);
    put(parents, number, missing === 1 ? first : number - 1);
  }
  return nodeCount - 1;
}

export function pop(): i32 {
  depth--;
  const tag = at(tagsOpen, depth);
  if (tag < 0) return -1;
  addOpen(tag, -1);
  endElementAt(at(rows, depth));
  return tag;
}

/** Marks an element as ended while those above it stay open. */
export function strike(index: i32): void {
  const tag = at(tagsOpen, index);
  if (tag < 0) return;
  addOpen(tag, -1);
  endElementAt(at(rows, index));
  put(tagsOpen, index, -1);
}

/** The number of the innermost open element among the elements of the page; -1 if none is near. */
export function rowHere(): i32 {
  const last = max(0, depth - MAX_REACH);
  for (let i = depth - 1; i >= last; i--) if (at(tagsOpen, i) >= 0) return at(rows, i);
  return -1;
}

/** Index of the open element that an end tag belongs to, or -1. */
export function indexOf(tag: i32, crossesScope: bool): i32 {
  if (openOf(tag) === 0) return -1;
  const last = max(0, depth - MAX_REACH);
  for (let i = depth - 1; i >= last; i--) {
    const open = at(tagsOpen, i);
    if (open === tag) return i;
    if (open >= 0 && isScope(open) && !crossesScope) return -1;
  }
  return -1;
}

export function hasBlockAbove(index: i32): bool {
  for (let i = index + 1; i < depth; i++) {
    if (at(tagsOpen, i) < 0) continue;
    const kind = kindAt(i);
    if (kind === BLOCK || kind === CELL) return true;
  }
  return false;
}

/** Writes the two innermost open tags, the inner one first; -1 for none. */
export function innermost(into: usize): void {
  let found = 0;
  store<i32>(into, -1);
  store<i32>(into, -1, 4);
  for (let i = depth - 1; i >= 0 && found < 2 && depth - i <= MAX_REACH; i--) {
    const open = at(tagsOpen, i);
    if (open < 0) continue;
    store<i32>(into + ((<usize>found) << 2), open);
    found++;
  }
}

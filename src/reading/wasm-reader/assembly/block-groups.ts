/** Groups of blocks and their sums, for the features of blocks: `Containers` and `PathGroups` of block-features.ts. */
import { take } from './arena';
import { halfLinkedOf, halfWordsOf, nodeAround, sentencesOf } from './block-fields';
import { nodeCount, parents } from './open-elements';
import { BLOCK_BYTES, blockCount, blocks } from './text-blocks';

/** Sums of a group: blocks, half words, half words that are not linked, sentences. */
const SUMS_BYTES: usize = 16;

/** A node: the sums of the blocks below it; the first of them; the nearest node at or above it of each container size. */
const NODE_BYTES: usize = 36;
export const CONTAINERS: i32 = 4;
let containers: usize = 0;

function sizeOf(rank: i32): i32 {
  return rank === 0 ? 2 : rank === 1 ? 5 : rank === 2 ? 15 : 40;
}

function addBlock(sums: usize, block: i32): void {
  const words = halfWordsOf(block);
  store<i32>(sums, load<i32>(sums) + 1);
  store<i32>(sums, load<i32>(sums, 4) + words, 4);
  store<i32>(sums, load<i32>(sums, 8) + words - halfLinkedOf(block), 8);
  store<i32>(sums, load<i32>(sums, 12) + sentencesOf(block), 12);
}

export function nodeAt(node: i32): usize {
  return containers + <usize>node * NODE_BYTES;
}

export function firstOf(node: usize): i32 {
  return load<i32>(node, 16);
}

/** The container of this size around a node. */
export function containerOf(node: i32, rank: i32): usize {
  return nodeAt(load<i32>(nodeAt(node) + ((<usize>rank) << 2), 20));
}

export function findContainers(): void {
  containers = take(<usize>nodeCount * NODE_BYTES);
  memory.fill(containers, 0, <usize>nodeCount * NODE_BYTES);
  for (let node = 0; node < nodeCount; node++) store<i32>(nodeAt(node), blockCount, 16);
  for (let i = 0; i < blockCount; i++) {
    const node = nodeAt(nodeAround(i));
    addBlock(node, i);
    store<i32>(node, min(firstOf(node), i), 16);
  }
  for (let number = nodeCount - 1; number > 0; number--) {
    const node = nodeAt(number);
    const parent = nodeAt(parentOf(number));
    addSizes(parent, node);
    store<i32>(parent, min(firstOf(parent), firstOf(node)), 16);
  }
  for (let number = 1; number < nodeCount; number++) {
    const node = nodeAt(number);
    const parent = nodeAt(parentOf(number));
    const size = load<i32>(node);
    for (let rank = 0; rank < CONTAINERS; rank++) {
      const at: usize = (<usize>rank) << 2;
      store<i32>(node + at, size >= sizeOf(rank) ? number : load<i32>(parent + at, 20), 20);
    }
  }
}

/** The four sizes of a node are also its parent's. */
function addSizes(parent: usize, node: usize): void {
  if (ASC_FEATURE_SIMD) v128.store(parent, i32x4.add(v128.load(parent), v128.load(node)));
  else for (let at: usize = 0; at < 16; at += 4) store<i32>(parent + at, load<i32>(parent + at) + load<i32>(node + at));
}

function parentOf(node: i32): i32 {
  return load<i32>(parents + ((<usize>node) << 2));
}

/**
 * Groups the blocks by a number of theirs.
 * @param offset of that number in a block
 * @returns the address of the groups: for each block the address of its sums
 */
export function groupBlocks(offset: usize): usize {
  let size: u32 = 4;
  while (size < <u32>blockCount * 2) size <<= 1;
  const groups = take((<usize>blockCount) << 2);
  const sums = take(<usize>blockCount * SUMS_BYTES);
  memory.fill(sums, 0, <usize>blockCount * SUMS_BYTES);
  /** Number of the first block of a group plus one, 0 for none; open addressing. */
  const slots = take((<usize>size) << 2);
  memory.fill(slots, 0, (<usize>size) << 2);
  for (let i = 0; i < blockCount; i++) {
    const key = load<u32>(blocks + <usize>i * BLOCK_BYTES + offset);
    let slot = ((key ^ (key >>> 15)) * 0x9e3779b1) & (size - 1);
    let first = load<i32>(slots + ((<usize>slot) << 2)) - 1;
    while (first >= 0 && load<u32>(blocks + <usize>first * BLOCK_BYTES + offset) !== key) {
      slot = (slot + 1) & (size - 1);
      first = load<i32>(slots + ((<usize>slot) << 2)) - 1;
    }
    if (first < 0) {
      first = i;
      store<i32>(slots + ((<usize>slot) << 2), i + 1);
    }
    const group = sums + <usize>first * SUMS_BYTES;
    addBlock(group, i);
    store<u32>(groups + ((<usize>i) << 2), <u32>group);
  }
  return groups;
}

export function groupOf(groups: usize, block: i32): usize {
  return load<u32>(groups + ((<usize>block) << 2));
}

export function blocksIn(sums: usize): f64 {
  return <f64>load<i32>(sums);
}

export function wordsIn(sums: usize): f64 {
  return <f64>load<i32>(sums, 4) * 0.5;
}

export function plainIn(sums: usize): f64 {
  return <f64>load<i32>(sums, 8) * 0.5;
}

export function sentencesIn(sums: usize): f64 {
  return <f64>load<i32>(sums, 12);
}

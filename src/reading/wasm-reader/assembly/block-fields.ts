/** The numbers of a block that the choice of main text reads. */
import { BLOCK_BYTES, blocks } from './text-blocks';

/** A number of a block: see `push`. */
function numberOf(block: i32, at: usize): i32 {
  return load<i32>(blocks + <usize>block * BLOCK_BYTES + at);
}
export function startOf(block: i32): i32 {
  return numberOf(block, 0);
}
export function endOf(block: i32): i32 {
  return numberOf(block, 4);
}
export function halfWordsOf(block: i32): i32 {
  return numberOf(block, 8);
}
export function halfLinkedOf(block: i32): i32 {
  return numberOf(block, 12);
}
export function blockTagsOf(block: i32): i32 {
  return numberOf(block, 16);
}
export function inlineTagsOf(block: i32): i32 {
  return numberOf(block, 20);
}
export function sentencesOf(block: i32): i32 {
  return numberOf(block, 24);
}
export function flagsOf(block: i32): i32 {
  return numberOf(block, 28);
}
export function tagOf(block: i32): i32 {
  return numberOf(block, 32);
}
export function nodeAround(block: i32): i32 {
  return numberOf(block, 36);
}

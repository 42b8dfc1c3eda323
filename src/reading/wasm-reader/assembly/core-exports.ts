/** The reading core. The host is wasm-core.ts. */

export { ENDS, KINDS, keep, LETTERS, release, take } from './arena';
export { bestExpectedF1, chooseBlocks, logits, probabilities, rateBlocks, setChoiceFlags } from './block-choice';
export { ROW_FLAGS, setRowFlags, TAG_SIGNS } from './block-rows';
export { setSlopeFlags, WEIGHTS } from './block-slope';
export { setVeilFlags } from './block-veils';
export { elementCount, elements, shown, shownCount } from './element-rows';
export { addresses, distinct, distinctCount, isDistinct, linkEnd, PLAIN, putAddress, resolveLinks, tellDistinct } from './link-addresses';
export { hashEnds, hashes, hashLinks, SALTS, setFeatureMask } from './link-hashes';
export { chooseLinks, placeLinks, setZoneFlags, takeChoices } from './link-places';
export { addName } from './name-table';
export { nearHintsAt, nodeCount, parents } from './open-elements';
export {
  addBlocks,
  addTitle,
  addUrl,
  findWords,
  judgeLinks,
  logit,
  reset,
  SUBLINEAR,
  setBuckets,
  setMeaning,
  startCount,
  takeLinks,
} from './page-judgement';
export {
  begin,
  contents,
  contentsEnd,
  events,
  eventsEnd,
  foreigns,
  foreignsEnd,
  headingEnd,
  headingStart,
  html,
  lastTag,
  linkCount,
  links,
  parse,
  scratch,
  setPageFlags,
  setSightFlags,
  spans,
  spansEnd,
  warnings,
} from './page-parse';
export { firstLettersAt, setHints, shapesAt, signs, wantedAt } from './tag-attributes';
export { setLineFlags } from './tag-edges';
export { addTag, endTags, setDiv, tagsAt } from './tag-table';
export { allBits, blockCount, blocks, isFull, narrowText, takePlain, text, textLength } from './text-blocks';
export { blankCount, blanks, gaps, lineNoteCount, lineNotes } from './text-lines';
export { simhash, simhashHigh, simhashLow } from './text-simhash';
export { folded, isUnspaced, readOther, readWords, wordCount } from './text-words';
export { decodeUtf8 } from './utf8';

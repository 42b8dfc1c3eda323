/** Start and end of a find, as offsets of UTF-16 code units. */
export type { SegmentRange as TextRange } from '../../base/text/segments.ts';

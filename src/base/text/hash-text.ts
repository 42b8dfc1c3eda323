/** 32-bit FNV-1a (Fowler, Noll, Vo) of a part of a text without folding, signed: for strings other than words, such as hosts and directories. */
export function hashText(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

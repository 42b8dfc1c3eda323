/** UTF-8 that is known to be valid, as UTF-16 units. */

/** @param units room for as many units as there are bytes, and 16 more @returns the end of the units */
export function decodeUtf8(bytes: usize, end: usize, units: usize): usize {
  let at = bytes;
  let out = units;
  while (at < end) {
    if (ASC_FEATURE_SIMD)
      if (at + 16 <= end) {
        const sixteen = v128.load(at);
        if (i8x16.bitmask(sixteen) === 0) {
          v128.store(out, i16x8.extend_low_i8x16_u(sixteen));
          v128.store(out + 16, i16x8.extend_high_i8x16_u(sixteen));
          at += 16;
          out += 32;
          continue;
        }
      }
    const first: u32 = load<u8>(at);
    if (first < 0x80) {
      store<u16>(out, <u16>first);
      at++;
      out += 2;
    } else if (first < 0xe0) {
      store<u16>(out, <u16>(((first & 0x1f) << 6) | (<u32>load<u8>(at, 1) & 0x3f)));
      at += 2;
      out += 2;
    } else if (first < 0xf0) {
      store<u16>(out, <u16>(((first & 0xf) << 12) | ((<u32>load<u8>(at, 1) & 0x3f) << 6) | (<u32>load<u8>(at, 2) & 0x3f)));
      at += 3;
      out += 2;
    } else {
      const code =
        ((first & 7) << 18) | ((<u32>load<u8>(at, 1) & 0x3f) << 12) | ((<u32>load<u8>(at, 2) & 0x3f) << 6) | (<u32>load<u8>(at, 3) & 0x3f);
      store<u16>(out, <u16>(0xd7c0 + (code >>> 10)));
      store<u16>(out, <u16>(0xdc00 | (code & 0x3ff)), 2);
      at += 4;
      out += 4;
    }
  }
  return out;
}

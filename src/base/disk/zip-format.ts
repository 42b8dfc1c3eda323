/** Numbers of the ZIP format: APPNOTE.TXT 6.3.10 of PKWARE. */
import type { Bytes } from '../core/types.ts';

/** Signatures of §4.3.7, 4.3.9, 4.3.12, 4.3.14, 4.3.15 and 4.3.16. */
export const ZIP_SIGNATURE = {
  localHeader: 0x04034b50,
  dataDescriptor: 0x08074b50,
  centralHeader: 0x02014b50,
  end64: 0x06064b50,
  end64Locator: 0x07064b50,
  end: 0x06054b50,
} as const;
/** Bytes of these records without names, extra fields and comments. */
export const ZIP_SIZE = { localHeader: 30, centralHeader: 46, end64: 56, end64Locator: 20, end: 22 } as const;
/** Methods of §4.4.5. */
export const ZIP_METHOD = { stored: 0, deflate: 8, aes: 99 } as const;
/** Bits of §4.4.4. */
export const ZIP_FLAG = { encrypted: 0x0001, sizesFollow: 0x0008, strongEncryption: 0x0040, utf8Names: 0x0800 } as const;
/** The header id of the extra field with sizes of 64 bits (§4.5.3). */
export const ZIP64_EXTRA = 1;
/** Values of 32 and of 16 bits that mean: see the Zip64 record (§4.4.1.4). */
export const ZIP_MAX_32: Bytes = 0xffffffff;
export const ZIP_MAX_16 = 0xffff;

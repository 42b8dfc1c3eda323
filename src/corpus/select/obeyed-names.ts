/** Protocols whose statements a corpus can obey. */
import type { RightsProtocol } from '../../base/core/types.ts';

/** Protocols that reserve uses. Licences allow them. */
export const OBEYABLE = ['tdm', 'noai', 'content-usage', 'content-signal', 'rsl'] as const satisfies readonly RightsProtocol[];
export type Obeyable = (typeof OBEYABLE)[number];

/** The protocols that are obeyed without a choice of the user: those of 0.2. The newer ones have no consensus on their labels yet. */
export const OBEYED_BY_DEFAULT: readonly Obeyable[] = ['tdm', 'noai'];

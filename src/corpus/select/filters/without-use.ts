import { USES } from '../../../base/core/types.ts';
import type { HarvestFilter } from '../harvest-filter.ts';
import { OBEYABLE } from '../obeyed-names.ts';
import { usesStated } from '../obeyed-statements.ts';

const ALL_PROTOCOLS = new Set(OBEYABLE);

/** Pages whose owners disallow a use, by any protocol. A page without a statement about it stays. */
export const withoutUse = {
  name: 'without-use',
  leaves: 'with a use that their owners disallow',
  begin({ withoutUse: unwanted }) {
    if (unwanted === undefined || unwanted.length === 0) return null;
    return {
      see({ record: { rights = [] } }) {
        const stated = usesStated(rights, ALL_PROTOCOLS);
        const use = unwanted.find((one) => stated[one] === 'disallow');
        return use === undefined ? null : { use };
      },
    };
  },
  describe({ withoutUse: unwanted }) {
    if (unwanted === undefined || unwanted.length === 0) return null;
    const uses = USES.filter((use) => unwanted.includes(use));
    return `pages omitted whose owners disallow ${uses.join(' or ')}, by ${OBEYABLE.join(', ')}; pages without a statement stay`;
  },
} as const satisfies HarvestFilter;

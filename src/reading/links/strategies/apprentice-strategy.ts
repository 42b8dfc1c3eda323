import { Apprentice } from '../apprentice.ts';
import { strategy } from '../link-strategy.ts';

/** Learns from every page it visits which links lead to pages on topic. */
export const apprentice = strategy({
  name: 'apprentice',
  help: 'learns from each visited page which links lead to pages on topic',
  scorer: (settings) => new Apprentice(settings),
});

// Harvests with the options of the argument, and tells its parent each step: for tests that kill it.
import { harvestCorpus } from '../../../dist/corpus/harvest/harvest-writer.js';

const options = JSON.parse(process.argv[2] ?? '');
const progress = ({ stage, done }) => process.send?.({ stage, done });
process.send?.({ stage: 'start', done: 0 });
await harvestCorpus({ ...options, detectLanguage: null, committed: null, progress });
process.send?.({ stage: 'end', done: 0 });
process.disconnect?.();

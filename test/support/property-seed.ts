/**
 * Property tests draw the same inputs on every run, so that a red run is about the change and not about the draw. `npm run check -- properties` draws others.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_122) });

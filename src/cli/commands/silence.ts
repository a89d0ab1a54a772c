import { answerSilence } from '../../app/closures.ts';
import { systemClock } from '../../platform/clock.ts';
import { command, word } from '../command.ts';
import { clinicKeys } from '../configuration.ts';
import { answer } from '../io.ts';
import { withStore } from '../with-app.ts';

export const silence = command({
  name: 'silence <clinic>',
  describe: 'Say until when a clinic is closed, so that nobody is told that no leads arrive',
  args: {
    clinic: word,
    until: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'The day on which it opens again (YYYY-MM-DD), or today',
    },
  },
  examples: { 'silence main --until 2027-01-04': 'closed over the holidays' },
  audit: { action: 'silence.answer', subject: 'clinic' },
  open: withStore,
  async run(io, { clinic, until, ...given }, { config, store }) {
    clinicKeys(config, clinic);
    const { clinics } = config;
    const { closure, message } = await answerSilence(clinic, until, { store, clinics, clock: systemClock });
    answer(io, given, { clinic, closed_until: closure?.until ?? null }, message);
  },
});

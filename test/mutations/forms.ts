import type { MutationSet } from './mutation.ts';

const mapping = 'connectors/web-form/mapping/mapping.ts';
const textBody = 'connectors/web-form/text-body.ts';
const body = 'connectors/web-form/body.ts';
const presets = 'connectors/web-form/presets';
const toolIntake = 'connectors/web-form/tool-intake.ts';
const seen = 'connectors/web-form/seen.ts';
const dates = 'src/domain/date-time.ts';

export const forms: MutationSet = {
  module: 'forms',
  tests: [
    'connectors/web-form/authentication',
    'connectors/web-form/mapping',
    'connectors/web-form/presets',
    'connectors/web-form/body.test.ts',
    'connectors/web-form/text-body.test.ts',
    'connectors/web-form/web-form.test.ts',
    'src/domain/date-time.test.ts',
    'test/stories/form-over-http.test.ts',
    'test/stories/odd-submissions.test.ts',
  ],
  mutations: [
    {
      file: mapping,
      find: '!lines.some(isLeft)',
      replace: 'true',
      harm: 'a line of a visitor’s message takes the place of the form’s own name or date',
    },
    {
      file: mapping,
      find: "isOdd && (field === 'patient_name' || field === 'patient_phone')",
      replace: "isOdd && field === 'patient_phone'",
      harm: 'two answers are booked as one patient’s name',
    },
    {
      file: mapping,
      find: "text.includes('\\uFFFD') || !text.isWellFormed()",
      replace: '!text.isWellFormed()',
      harm: 'a name with broken letters is booked',
    },
    {
      file: textBody,
      find: '(goesOn && current ? current.lines : rest).push(line);',
      replace: 'if (goesOn && current) current.lines.push(line);',
      harm: 'lines of a text that belong to no field are thrown away',
    },
    {
      file: textBody,
      find: "const goesOn = current?.kind === 'message' ||",
      replace: 'const goesOn =',
      harm: 'lines of a message come apart',
    },
    {
      file: textBody,
      find: 'extra: text.trim(),',
      replace: '',
      harm: 'the text of broken JSON is kept nowhere',
    },
    {
      file: body,
      find: 'return new TextDecoder(charset);',
      replace: 'return new TextDecoder();',
      harm: 'a name in another charset is not read',
    },
    {
      file: `${presets}/elementor.ts`,
      find: 'problems: overwritten(body)',
      replace: 'problems: []',
      harm: 'the day of the submission is booked instead of the visitor’s',
    },
    {
      file: 'src/reading/when-parts.ts',
      find: "part('timeinput', 'time')",
      replace: "part('time')",
      harm: 'the time of a date is lost',
    },
    {
      file: `${presets}/presets.ts`,
      find: 'if (value !== undefined && unix !== undefined) {',
      replace: 'if (value === undefined && unix !== undefined) {',
      harm: 'no date of WPForms is ever read',
    },
    {
      file: toolIntake,
      find: 'const accepted = isRehearsed ? [...new Set([...proofs, bearer])] : proofs;',
      replace: 'const accepted = [...new Set([...proofs, bearer])];',
      harm: 'a tool that signs is let in by a token alone',
    },
    {
      file: seen,
      find: "return purpose === 'rehearsal' ? undefined : sighting.receipt;",
      replace: 'return undefined;',
      harm: 'the check does not say what became of submissions',
    },
    {
      file: seen,
      find: 'const old = all.toSorted().slice(0, -KEPT);',
      replace: 'const old = all.toSorted().slice(0, -some.length);',
      harm: 'a daemon forgets the submissions that another took',
    },
    {
      file: 'src/http/routes/intake.ts',
      find: "result.kind === 'submission' && !isChecked && !isRehearsed",
      replace: "result.kind === 'submission' && !isChecked",
      harm: 'a rehearsal is stored and sent',
    },
    {
      file: dates,
      find: 'numberIn(weekdays, groups.weekday) === Temporal.PlainDate.from(date).dayOfWeek ? date : undefined',
      replace: 'date',
      harm: 'a date is booked whose weekday is another day’s',
    },
    {
      file: dates,
      find: 'return dateOf(Number(parts[1]), Number(parts[3]), Number(parts[4]));',
      replace: 'return dateOf(Number(parts[1]), Number(parts[4]), Number(parts[3]));',
      harm: 'day and month change places',
    },
  ],
};

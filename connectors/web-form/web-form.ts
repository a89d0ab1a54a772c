import {
  type CheckLine,
  type Connector,
  type ConnectorContext,
  defineConnector,
  ok,
  stated,
  warn,
} from '../../src/connector.ts';
import { labelsOf, type Target } from '../../src/domain/bookings/field-labels.ts';
import { scriptHostsOf } from './form/captcha.ts';
import { formIntake } from './form/form-intake.ts';
import { createMapping, type MappingOptions } from './mapping/mapping.ts';
import { type Preset, provenBy } from './presets/preset.ts';
import { presets } from './presets/presets.ts';
import { createProbe } from './probe.ts';
import { createSeen } from './seen.ts';
import { WebFormSettings } from './settings.ts';
import { toolIntake } from './tool-intake.ts';

const surnames = labelsOf('last_name').map((label) => `{{${label}}}`);
/** Beside a surname, `name` is a given name: both parts together take precedence over it alone. */
const parted = [...labelsOf('first_name'), 'name'].flatMap((given) =>
  surnames.map((surname) => `{{${given}}} ${surname}`),
);

/**
 * Labels to look for when no rule names a form's field. The first one that was filled in counts; a text with several
 * {{fields}} counts only when all of them were.
 */
const commonLabels: Partial<Record<Target, readonly string[]>> = {
  patient_name: [...labelsOf('full_name'), ...parted, ...labelsOf('name', 'first_name')],
  patient_phone: labelsOf('patient_phone'),
  address: labelsOf('address'),
  // A field with date and time also gives the time when no other field does.
  appointment_date: labelsOf('appointment_date', 'date_and_time'),
  appointment_time: labelsOf('appointment_time'),
  doctor_id: labelsOf('doctor_id'),
  doctor: labelsOf('doctor'),
  treatment_id: labelsOf('treatment_id'),
  treatment: labelsOf('treatment'),
  note: labelsOf('note'),
};

/** Takes bookings over HTTP at `/in/{connector}`. */
export const webForm = defineConnector<WebFormSettings>({
  name: 'web-form',
  summary: 'Takes bookings from web forms and form tools, and serves a booking form.',
  settings: WebFormSettings,
  secrets: ['token', 'secret'],
  scriptHosts: ({ preset, form: { captcha } }) =>
    preset === 'html-form' && captcha ? scriptHostsOf(captcha) : [],
  clinicHint: ({ preset, fields }) =>
    preset === 'html-form' || fields.clinic !== undefined
      ? undefined
      : 'map `clinic` under `fields:`, or let the sender name it (`clinic`)',
  create: async (context) => createWebForm(context),
  beyondReach: ({ name, leads }) =>
    leads.some(({ source }) => source === name)
      ? [`what the website or form tool behind ${name} keeps, and its proxy’s logs`]
      : [],
});

function createWebForm(context: ConnectorContext<WebFormSettings>): Connector {
  const { name, clinics, bookings, memory, clock, log } = context;
  const settings = { ...context.settings, thanks: fitForHeader(context.settings.thanks) };
  const preset: Preset = presets[settings.preset];
  const isForm = settings.preset === 'html-form';
  const mapping: MappingOptions = {
    source: name,
    clinics,
    rules: settings.fields,
    fixed: preset.fixed,
    labels: preset.labels === false ? undefined : commonLabels,
    own: preset.own,
  };
  const { map, kindOf } = createMapping(mapping);
  const probeOf = createProbe({ mapping, preset, settings, clock });
  const find = (ref: string) => bookings.find(name, ref);
  const seen = createSeen({ memory, clock, log, find, isPublic: isForm, rules: mapping });
  const parts = { name, settings, preset, map, kindOf, probeOf, seen, clock };

  return {
    intake: isForm ? formIntake({ ...parts, clinics }) : toolIntake(parts),
    check: async () => [...checkLines(name, settings), ...(await seen.check())],
    // Its notes consist of words known beforehand.
    holdsNothing: true,
    stop: () => seen.stop(),
  };
}

/** A Location header takes visible ASCII only; other characters would turn a stored booking into an error. */
const fitForHeader = (url: string | undefined): string | undefined =>
  url?.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);

/** What to enter at the tool, and what is missing. Shows no secret. */
function checkLines(name: string, settings: WebFormSettings): CheckLine[] {
  const { preset, origins, fields } = settings;
  const { title, proofs, proven } = presets[preset];
  if (preset === 'html-form') {
    const path = `/in/${name}/form`;
    const sites = origins.join(', ');
    return [ok(sites === '' ? stated('check_form', { path }) : stated('check_form_sites', { path, sites }))];
  }
  const usable = proofs.filter(({ needs }) => settings[needs] !== undefined);
  const lines = [
    ok(`${title} sends to /in/${name}, with ${usable.map(({ carries }) => carries).join(' or ')}`),
    ok(`how far what it sends is proven: ${provenBy[proven.level]} (${proven.by})`),
  ];
  if (preset === 'gravity-forms' && Object.keys(fields).length === 0)
    lines.push(
      warn(
        'Gravity Forms names its fields by numbers, and no field is mapped',
        'Say under `fields:` which number is what, or give the fields names in the Webhooks add-on.',
      ),
    );
  return lines;
}

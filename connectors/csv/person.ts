import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GivenAway } from '../../src/connector.ts';
import { mentionsPhone } from '../../src/domain/phone.ts';
import { codeOf } from '../../src/platform/failure.ts';
import type { CsvSettings } from './settings.ts';

/** Files of a person that only people can clean. */
export function beyondReach(given: GivenAway<CsvSettings>): string[] {
  const { name, settings, clinics, includePatient, includeHashed, host, isNamed } = given;
  const { inbox, directory, archive } = settings;
  const failed = `${inbox}/failed`;
  const files: string[] = [];
  if (inbox && host !== undefined)
    files.push(
      `lines that are not booked in the inbox of ${name} (${inbox}), which is ` +
        `on ${host}: repeat the command there with --phone`,
    );
  else if (inbox && mayHoldFiles(failed))
    files.push(`files that could not be read, in ${failed}: look into them`);
  if (includeHashed && !isNamed)
    files.push(`what advertising platforms imported of the files of ${name} (csv): hashes of phone numbers`);
  if (includePatient) files.push(`copies that people made of the files of ${name} (csv)`);
  const months = (clinic: string) => mayHoldFiles(`${directory}/${clinic}/archive`);
  if (includePatient && archive === 'monthly' && (host !== undefined || clinics.some(months)))
    files.push(`months in ${directory}/CLINIC/archive that version 0.1.0 made: it kept patients in them`);
  return files;
}

/** True also when the folder cannot be read. */
function mayHoldFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}

/** Lines of inbox files that contain the number, also in a column or row that was not booked. */
export const mentions = ({ inbox }: Partial<CsvSettings>, phones: readonly string[]): string[] =>
  (inbox === undefined ? [] : ['', 'processing', 'done', 'results', 'failed'])
    .flatMap((name) => plainFilesIn(join(inbox ?? '', name)))
    .flatMap((file) =>
      // In UTF-16, digits are followed by zero bytes.
      readFileSync(file, 'utf8')
        .replaceAll('\0', '')
        .split(/\r\n|\r|\n/)
        .flatMap((text, at) => (mentionsPhone(text, phones) ? [`${file}, line ${at + 1}`] : [])),
    );

function plainFilesIn(folder: string): string[] {
  try {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.filter((path) => lstatSync(path).isFile()).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

import { z } from 'zod';
import type { ConnectorKind } from '../connector.ts';
import { secretFile } from '../domain/clinics/setting.ts';
import type { JsonObject } from '../platform/json.ts';
import { CommonConnectorSettings, ConfigFile } from './config.ts';
import { targetKinds } from './notify.ts';

/** JSON Schema (2020-12) of the configuration file, for editors; each connector kind adds its own settings. */
export function configSchema(kinds: readonly ConnectorKind[]): JsonObject {
  const schema = toSchema(ConfigFile);
  const properties = schema.properties as Record<string, JsonObject>;
  const common = toSchema(CommonConnectorSettings).properties as JsonObject;
  const ofKind = kinds.map((kind) => {
    const own = toSchema(kind.settings);
    const required = (own.required as string[] | undefined) ?? [];
    const fromFiles = secretsFromFiles(kind);
    return {
      title: kind.name,
      description: kind.summary,
      type: 'object',
      properties: {
        ...common,
        ...(own.properties as JsonObject),
        ...Object.fromEntries(fromFiles.map((secret) => [`${secret}_file`, fileOf(secret)])),
        use: { const: kind.name },
      },
      required: ['use', ...required.filter((setting) => !fromFiles.includes(setting))],
      additionalProperties: false,
    };
  });
  const names = kinds.map((kind) => kind.name);
  const other = {
    title: 'a package or a path',
    type: 'object',
    properties: { ...common, use: { type: 'string', not: { enum: names } } },
    required: ['use'],
  };
  properties.connectors = {
    ...properties.connectors,
    additionalProperties: { anyOf: [...ofKind, other] },
  };
  const targets = Object.entries(targetKinds).map(([title, kind]) => {
    const { $schema: _, ...own } = toSchema(kind);
    return { title, ...own };
  });
  properties.notify = { ...properties.notify, additionalProperties: { anyOf: targets } };
  return { title: 'clinic-sync configuration', ...schema };
}

/** Text secrets of a kind that it does not read from a file itself. */
export function secretsFromFiles(kind: ConnectorKind): string[] {
  const properties = (toSchema(kind.settings).properties ?? {}) as Record<string, { type?: string }>;
  return kind.secrets.filter(
    (secret) => properties[secret]?.type === 'string' && properties[`${secret}_file`] === undefined,
  );
}

const toSchema = (schema: z.ZodType): JsonObject =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;

function fileOf(secret: string): JsonObject {
  const { $schema: _, ...setting } = toSchema(secretFile(secret));
  return setting;
}

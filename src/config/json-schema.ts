import { z } from 'zod';
import type { ConnectorKind } from '../connector.ts';
import type { JsonObject } from '../model/json.ts';
import { CommonConnectorSettings, ConfigFile } from './config.ts';

/** JSON Schema (2020-12) of the configuration file, for editors; each connector kind adds its own settings. */
export function configSchema(kinds: readonly ConnectorKind[]): JsonObject {
  const schema = toSchema(ConfigFile);
  const properties = schema.properties as Record<string, JsonObject>;
  const common = toSchema(CommonConnectorSettings).properties as JsonObject;
  const ofKind = kinds.map((kind) => {
    const own = toSchema(kind.settings);
    const required = (own.required as string[] | undefined) ?? [];
    return {
      title: kind.name,
      description: kind.summary,
      type: 'object',
      properties: { ...common, ...(own.properties as JsonObject), use: { const: kind.name } },
      required: ['use', ...required],
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
  return { title: 'clinic-sync configuration', ...schema };
}

const toSchema = (schema: z.ZodType): JsonObject =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;

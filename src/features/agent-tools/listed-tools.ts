import { z } from 'zod';

import { descriptionOf } from '../../contract/described-as.ts';
import type { KeyScope } from '../../kernel/scopes.ts';
import { tools } from './all-tools.ts';
import { argumentOf, isYesOrNo, type Json } from './arguments/argument.ts';
import { portableSchema } from './arguments/portable-schema.ts';
import type { Tool } from './tool.ts';
import { isOffered } from './tool-rights.ts';

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  outputSchema: { type: 'object'; [key: string]: unknown };
  annotations: Readonly<Record<string, boolean>>;
}

const listed = new Map<string, ListedTool>();

/** The tools that a caller sees, in their order. */
export function listTools(right: KeyScope, disabled: readonly string[]): ListedTool[] {
  return tools.filter((tool) => isOffered(tool, right) && !disabled.includes(tool.info.name)).map(listedTool);
}

export function listedTool(tool: Tool): ListedTool {
  const { name, title, description, effect, isDestructive, isIdempotent, isOpenWorld } = tool.info;
  const known = listed.get(name);
  if (known) return known;
  const made: ListedTool = {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: isDestructive,
      idempotentHint: effect === 'read' || isIdempotent,
      openWorldHint: isOpenWorld,
    },
  };
  listed.set(name, made);
  return made;
}

/** These tools as the model of a run is told of them. */
export function toolsForModel(names: readonly string[]): Pick<ListedTool, 'name' | 'description' | 'inputSchema'>[] {
  const offered = tools.filter(({ info }) => names.includes(info.name));
  return offered.map((tool) => {
    const { name, description } = tool.info;
    return { name, description, inputSchema: portableInputOf(tool) };
  });
}

/** The arguments in the few keywords that every model server takes (contract 70.2, Portable schemas). */
function portableInputOf({ operation, info }: Tool): ListedTool['inputSchema'] {
  return portableSchema(operation.body as z.ZodObject, info.effect);
}

/** To clients, a tool whose arguments the specification fixes also shows its defaults (contract 70.5). */
function inputSchemaOf(tool: Tool): ListedTool['inputSchema'] {
  const schema = portableInputOf(tool);
  if (!tool.info.isExact) return schema;
  const { shape } = tool.operation.body as z.ZodObject;
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, Json>>).map(([name, shown]) => {
    const { initial } = argumentOf(shape[name] as z.ZodType);
    return [name, initial === undefined ? shown : { ...shown, default: initial }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** What a call that succeeds answers: the fields at the top and their types. A result that was shortened fits it, too. */
export function resultSchemaOf({ operation }: Tool): ListedTool['outputSchema'] {
  const response = operation.response as z.ZodType;
  const { shape } = (descriptionOf(response) ?? response) as z.ZodObject;
  const fields = Object.entries(shape as Readonly<Record<string, z.ZodType>>).filter(([name]) => !ADDED.includes(name));
  const properties = fields.map(([name, field]) => [name, { type: typeOf(field) }]);
  const required = fields.filter(([, field]) => !field.isOptional()).map(([name]) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** What every result may have besides its own fields: the instructions say it once. */
const ADDED = ['_untrusted', 'proposed', 'plan', 'already_proposed', 'already_proposed_in', 'proposal_id'];

/**
 * Requires no field, because an error has none of them: clients of the 2025 line hold errors against it, too, and would
 * show their own complaint in place of ours.
 */
function outputSchemaOf(tool: Tool): ListedTool['outputSchema'] {
  const { type, properties } = resultSchemaOf(tool);
  return { type, properties };
}

function typeOf(field: z.ZodType): string {
  const { bare } = argumentOf(field);
  if (bare instanceof z.ZodArray) return 'array';
  if (bare instanceof z.ZodObject || bare instanceof z.ZodRecord || bare instanceof z.ZodUnion) return 'object';
  if (bare instanceof z.ZodNumber) return 'integer';
  return isYesOrNo(bare) ? 'boolean' : 'string';
}

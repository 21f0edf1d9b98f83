import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { configSchema } from '../src/options/config-schema.ts';
import type { JsonSchema } from '../src/options/shape.ts';

type Statement = ReturnType<typeof parse>['program']['body'][number];
type TSTypeElement = Extract<Statement, { type: 'TSInterfaceDeclaration' }>['body']['body'][number];
type Property = Extract<TSTypeElement, { type: 'TSPropertySignature' }>;
type TSType = NonNullable<Property['typeAnnotation']>['typeAnnotation'];

/** Where the options and what they refer to are declared. */
const FILES = ['src/options/options.ts', 'src/types.ts'];

interface Member {
  /** Its comment, as one line. */
  text: string;
  members: Members;
}
type Members = ReadonlyMap<string, Member>;

/** The schema of `icon-catalog.config.json`, with the comments of the options' types as descriptions. */
export function describedConfigSchema(): JsonSchema {
  const schema = configSchema();
  describe(schema, readInterface('Options', readInterfaces()));
  return schema;
}

function describe(schema: JsonSchema, members: Members): void {
  const { properties = {}, anyOf = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    anyOf?: JsonSchema[];
  };
  for (const one of anyOf) describe(one, members);
  for (const [name, property] of Object.entries(properties)) {
    const member = members.get(name);
    if (member === undefined) continue;
    if (member.text !== '') property['description'] = member.text;
    describe(property, member.members);
  }
  if (typeof schema['additionalProperties'] === 'object')
    describe(schema['additionalProperties'] as JsonSchema, members);
}

type Interfaces = ReadonlyMap<string, readonly TSTypeElement[]>;

function readInterfaces(): Interfaces {
  const found = new Map<string, readonly TSTypeElement[]>();
  for (const file of FILES) {
    const { program } = parse(readFileSync(file, 'utf8'), {
      sourceType: 'module',
      plugins: ['typescript'],
      attachComment: true,
    });
    for (const statement of program.body) {
      if (statement.type !== 'ExportNamedDeclaration') continue;
      const { declaration } = statement;
      if (declaration?.type === 'TSInterfaceDeclaration')
        found.set(declaration.id.name, declaration.body.body);
    }
  }
  return found;
}

function readInterface(name: string, interfaces: Interfaces): Members {
  return readMembers(interfaces.get(name) ?? [], interfaces);
}

function readMembers(elements: readonly TSTypeElement[], interfaces: Interfaces): Members {
  const members = new Map<string, Member>();
  for (const element of elements) {
    if (element.type !== 'TSPropertySignature' || element.key.type !== 'Identifier') continue;
    const comment = element.leadingComments?.at(-1)?.value ?? '';
    members.set(element.key.name, {
      text: toText(comment),
      members: membersOf(element.typeAnnotation?.typeAnnotation, interfaces),
    });
  }
  return members;
}

/** Members of all objects that a type allows. */
function membersOf(type: TSType | undefined, interfaces: Interfaces): Members {
  if (type?.type === 'TSUnionType')
    return new Map(type.types.flatMap((one) => [...membersOf(one, interfaces)]));
  if (type?.type === 'TSTypeLiteral') return readMembers(type.members, interfaces);
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return new Map();
  const { name } = type.typeName;
  const values = type.typeParameters?.params.at(-1);
  return name === 'Record' ? membersOf(values, interfaces) : readInterface(name, interfaces);
}

function toText(comment: string): string {
  const [text = '', value] = comment
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/\s*@default /);
  return value === undefined ? text : `${text} Default: ${value}`.trim();
}

/** Descriptions in the shape of the examples of the specifications, with operations counted by hand. */
import { expect, test } from 'vitest';
import type { DocumentKind } from '../../../src/reading/documents/document-kind.ts';
import { openapi } from '../../../src/reading/documents/kinds/openapi.ts';
import { wsdl } from '../../../src/reading/documents/kinds/wsdl.ts';
import { documentIn } from './documents.ts';

const operationsOf = async (kind: DocumentKind, text: string) =>
  (await documentIn(kind, Buffer.from(text))).facts.api?.operations.map(({ method, path }) => `${method} ${path}`);

/** A kennel: three paths, five operations. */
const KENNEL_PATHS = {
  '/dogs': { get: { operationId: 'listDogs' }, post: { operationId: 'addDog' } },
  '/dogs/{dogId}': { parameters: [{ name: 'dogId', in: 'path' }], get: { operationId: 'dog' }, delete: { operationId: 'giveDog' } },
  '/dogs/{dogId}/walks': { 'x-note': { get: {} }, put: { operationId: 'walk' } },
};
const KENNEL = ['GET /dogs', 'POST /dogs', 'GET /dogs/{dogId}', 'DELETE /dogs/{dogId}', 'PUT /dogs/{dogId}/walks'];
const info = { title: 'Kennel', version: '1.0.0' };
const YAML_PATHS = `paths:
  /dogs:
    get: {operationId: listDogs}
    post:
      operationId: addDog
  /dogs/{dogId}:
    parameters: [{name: dogId, in: path}]
    get: {operationId: dog}
    delete: {operationId: giveDog}
  /dogs/{dogId}/walks:
    x-note: {get: {}}
    put: {operationId: walk}
`;

test.each([
  ['2.0, JSON', JSON.stringify({ swagger: '2.0', info, host: 'kennel.example', basePath: '/v1', paths: KENNEL_PATHS })],
  ['2.0, YAML', `swagger: "2.0"\ninfo: {title: Kennel, version: 1.0.0}\n${YAML_PATHS}`],
  ['3.0, JSON', JSON.stringify({ openapi: '3.0.3', info, servers: [{ url: 'https://kennel.example/v1' }], paths: KENNEL_PATHS })],
  ['3.0, YAML', `openapi: 3.0.0\ninfo: {title: Kennel, version: 1.0.0}\n${YAML_PATHS}`],
  ['3.1, JSON', JSON.stringify({ openapi: '3.1.0', info, paths: KENNEL_PATHS, webhooks: { newDog: { post: {} } } })],
  ['3.1, YAML', `openapi: "3.1.0"\ninfo: {title: Kennel, version: 1.0.0}\n${YAML_PATHS}webhooks: {newDog: {post: {}}}\n`],
])('OpenAPI %s: five operations', async (_, text) => {
  expect(await operationsOf(openapi, text)).toEqual(KENNEL);
});

test('WSDL 1.1, one port for the price of a share: one operation', async () => {
  const text = `<?xml version="1.0"?><definitions name="SharePrice" targetNamespace="http://shares.example/price.wsdl" xmlns:tns="http://shares.example/price.wsdl"
    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns="http://schemas.xmlsoap.org/wsdl/">
  <types><schema xmlns="http://www.w3.org/2000/10/XMLSchema"><element name="PriceRequest"><complexType><all><element name="sign" type="string"/></all></complexType></element></schema></types>
  <message name="LastPriceIn"><part name="body" element="PriceRequest"/></message><message name="LastPriceOut"><part name="body" element="Price"/></message>
  <portType name="SharePricePortType"><operation name="LastPrice"><input message="tns:LastPriceIn"/><output message="tns:LastPriceOut"/></operation></portType>
  <binding name="SharePriceBinding" type="tns:SharePricePortType"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="LastPrice"><soap:operation soapAction="http://shares.example/LastPrice"/><input><soap:body use="literal"/></input></operation></binding>
  <service name="SharePriceService"><port name="SharePricePort" binding="tns:SharePriceBinding"><soap:address location="http://shares.example/price"/></port></service></definitions>`;
  expect(await operationsOf(wsdl, text)).toEqual(['SOAP LastPrice']);
});

test('WSDL 2.0, an inn with an inherited interface: three operations', async () => {
  const text = `<?xml version="1.0"?><description xmlns="http://www.w3.org/ns/wsdl" targetNamespace="http://inn.example/free" xmlns:tns="http://inn.example/free"
    xmlns:wsoap="http://www.w3.org/ns/wsdl/soap">
  <interface name="bookingInterface"><fault name="badDates" element="tns:badDates"/>
    <operation name="opFreeRooms" pattern="http://www.w3.org/ns/wsdl/in-out" safe="true"><input element="tns:nights"/><output element="tns:rooms"/><outfault ref="tns:badDates"/></operation>
    <operation name="opBook" pattern="http://www.w3.org/ns/wsdl/in-only"><input element="tns:room"/></operation></interface>
  <interface name="logInterface" extends="tns:bookingInterface"><operation name="opLog"><output element="tns:line"/></operation></interface>
  <binding name="bookingBinding" interface="tns:bookingInterface" type="http://www.w3.org/ns/wsdl/soap"><operation ref="tns:opFreeRooms"/></binding>
  <service name="bookingService" interface="tns:bookingInterface"><endpoint name="e" binding="tns:bookingBinding" address="http://inn.example/booking"/></service></description>`;
  expect(await operationsOf(wsdl, text)).toEqual(['SOAP opFreeRooms', 'SOAP opBook', 'SOAP opLog']);
});

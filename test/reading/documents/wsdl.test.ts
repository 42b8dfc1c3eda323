import { expect, test } from 'vitest';
import { wsdl } from '../../../src/reading/documents/kinds/wsdl.ts';
import { documentIn, linesOf, readWith } from './documents.ts';

/** Prices of peat, in version 1.1. Operations, counted by hand: two of the SOAP interface, one of that by HTTP: 3. */
const PEAT = `<?xml version="1.0"?>
<wsdl:definitions name="PeatPrices" targetNamespace="urn:peat" xmlns:tns="urn:peat" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <wsdl:documentation>Prices of peat &amp; moss.</wsdl:documentation>
  <wsdl:types><xs:schema><xs:element name="Price"><xs:annotation><xs:documentation>Price of a bale</xs:documentation></xs:annotation>
    <xs:complexType><xs:sequence><xs:element name="amount"><xs:annotation><xs:documentation>In euros</xs:documentation></xs:annotation></xs:element><xs:element ref="tns:day"/></xs:sequence></xs:complexType></xs:element></xs:schema></wsdl:types>
  <wsdl:message name="GetIn"><wsdl:part name="grade" type="xs:string"/><wsdl:part name="day"/></wsdl:message>
  <wsdl:message name="GetOut"><wsdl:part name="body" element="tns:Price"/></wsdl:message>
  <wsdl:portType name="PeatSoap">
    <wsdl:operation name="GetPrice"><wsdl:documentation>Price of
      a day</wsdl:documentation><wsdl:input message="tns:GetIn"/><wsdl:output message="tns:GetOut"/><wsdl:fault name="NoMarket" message="tns:Closed"/></wsdl:operation>
    <wsdl:operation name="ListGrades"><wsdl:output message="tns:GetOut"/></wsdl:operation>
  </wsdl:portType>
  <wsdl:portType name="PeatGet"><wsdl:operation name="GetPrice"><wsdl:input message="tns:GetIn"/></wsdl:operation></wsdl:portType>
  <wsdl:binding name="S" type="tns:PeatSoap"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/><wsdl:operation name="GetPrice"><soap:operation soapAction="urn:get"/></wsdl:operation></wsdl:binding>
  <wsdl:binding name="S12" type="tns:PeatSoap"/>
  <wsdl:binding name="G" type="tns:PeatGet"><http:binding verb="get"/><wsdl:operation name="GetPrice"><http:operation location="/price"/></wsdl:operation></wsdl:binding>
  <wsdl:service name="PeatMarket"><wsdl:documentation>Open on weekdays.</wsdl:documentation>
    <wsdl:port name="a" binding="tns:S"><soap:address location="https://peat.example/soap"/></wsdl:port>
    <wsdl:port name="b" binding="tns:S12"><soap12:address location="https://peat.example/soap"/></wsdl:port>
    <wsdl:port name="c" binding="tns:G"><http:address location="https://peat.example/get"/></wsdl:port></wsdl:service>
</wsdl:definitions>`;

/** Rooms of a lodge, in version 2.0. Operations, counted by hand: 2. */
const LODGE = `<description xmlns="http://www.w3.org/ns/wsdl" xmlns:w="urn:x" xmlns:whttp="http://www.w3.org/ns/wsdl/http" targetNamespace="urn:lodge">
  <documentation>Rooms by the bog.</documentation>
  <interface name="lodge"><fault name="full" element="w:full"/>
    <operation name="free" pattern="in-out"><documentation>Free rooms</documentation><input element="w:nights"/><output element="w:rooms"/><outfault ref="w:full"/></operation>
    <operation name="book"><input element="w:room"/></operation></interface>
  <binding name="b" interface="w:lodge" type="http://www.w3.org/ns/wsdl/http" whttp:methodDefault="POST"><operation ref="w:free" whttp:method="GET" whttp:location="rooms/{nights}"/></binding>
  <service name="lodging" interface="w:lodge"><endpoint name="e" binding="w:b" address="https://lodge.example/api"/></service>
</description>`;

test('version 1.1: operations of each interface, addresses once, documentation and types', async () => {
  const { facts, body } = await documentIn(wsdl, Buffer.from(PEAT));
  expect(facts).toMatchObject({ title: 'PeatMarket', cut: false });
  expect(facts.api).toEqual({
    name: 'PeatMarket',
    version: null,
    operations: [
      { method: 'SOAP', path: 'GetPrice', summary: 'Price of a day' },
      { method: 'SOAP', path: 'ListGrades', summary: null },
      { method: 'GET', path: '/price', summary: null },
    ],
    endpoints: ['https://peat.example/soap', 'https://peat.example/get'],
  });
  expect(linesOf(body)).toEqual(
    (
      'PeatMarket|Prices of peat &amp; moss.|Open on weekdays.|https://peat.example/soap|https://peat.example/get|PeatSoap|SOAP GetPrice|Price of a day|' +
      'input: GetIn (grade, day)|output: GetOut (body)|fault: Closed|SOAP ListGrades|output: GetOut (body)|PeatGet|GET /price|input: GetIn (grade, day)|' +
      'Price|Price of a bale|amount: In euros|day'
    ).split('|'),
  );
});

test('version 2.0: interfaces, methods of HTTP, and endpoints', async () => {
  const { facts, body } = await documentIn(wsdl, Buffer.from(LODGE));
  expect(facts.api).toEqual({
    name: 'lodging',
    version: null,
    operations: [
      { method: 'GET', path: 'rooms/{nights}', summary: 'Free rooms' },
      { method: 'POST', path: 'book', summary: null },
    ],
    endpoints: ['https://lodge.example/api'],
  });
  expect(linesOf(body)).toContain('outfault: full');
});

test('a description is told by its root and namespace, in any charset; other XML is none', async () => {
  const utf16 = Buffer.from(`\ufeff${LODGE}`, 'utf16le');
  expect([PEAT, LODGE, `<!-- a --><?x y?>\n${LODGE}`].map((text) => wsdl.looksLike(Buffer.from(text)))).toEqual([true, true, true]);
  expect(wsdl.looksLike(utf16)).toBe(true);
  expect((await documentIn(wsdl, utf16)).facts.api?.operations).toHaveLength(2);
  const others = [
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>',
    '<description>text</description>',
    '<html><body>http://schemas.xmlsoap.org/wsdl/"',
    '{"definitions":1}',
    'definitions',
    '',
  ];
  expect(others.map((text) => wsdl.looksLike(Buffer.from(text)))).toEqual(others.map(() => false));
  expect(await readWith(wsdl, Buffer.from('<html/>'))).toMatchObject({ kind: 'failed', detail: 'the file is not a WSDL description' });
  expect(await readWith(wsdl, Buffer.from(PEAT.slice(0, 900)))).toMatchObject({ kind: 'document' });
});

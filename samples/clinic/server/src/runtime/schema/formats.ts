/**
 * The checked formats. Any other format is an annotation. The checks are as lenient as common APIs
 * and linear in the length of the text.
 * https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["date-time", isDateTime],
  ["time", (text: string) => isTime(text)],
  ["email", (text: string) => text.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(text)],
  [
    "uuid",
    (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  ],
  ["uri", (text: string) => /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text)],
  ["ipv4", isIpv4],
  [
    "ipv6",
    (text: string) =>
      /^[0-9a-f:.]{2,45}$/i.test(text) && text.includes(":") && URL.canParse(`http://[${text}]`),
  ],
]);

/** True for a format that is checked. */
export function isCheckedFormat(format: string): boolean {
  return formats.has(format);
}

/** True for text in a format, and for all formats that are not checked. */
export function matchesFormat(format: string, text: string): boolean {
  return formats.get(format)?.(text) ?? true;
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && !isLeapYear ? 28 : (daysInMonth[month - 1] ?? 0));
}

function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):?(\d\d))$/i.exec(text);
  if (!parts) return false;
  const [, hour, minute, second, offsetHour, offsetMinute] = parts.map((part) => Number(part ?? 0));
  return hour! < 24 && minute! < 60 && second! <= 60 && offsetHour! < 24 && offsetMinute! < 60;
}

function isDateTime(text: string): boolean {
  return /[t ]/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".", 5);
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
}

/** Characters 128 to 255 of the code pages that DOS programs and some of their successors use. */
const UPPER_HALVES: Readonly<Record<string, string>> = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

/** The labels of the DOS code pages, which TextDecoder does not know. */
export const DOS_CODE_PAGES = ['ibm437', 'ibm850', 'ibm852'] as const;

/** The part of a TextDecoder that we use. */
interface Decoder {
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string;
}

const TABLES = new Map(DOS_CODE_PAGES.map((label) => [label as string, tableOf(UPPER_HALVES[label] as string)]));

export function isDosCodePage(label: string): boolean {
  return TABLES.has(label);
}

/** A decoder for any supported label. DOS code pages define every byte, so decoding them never fails. */
export function decoderOf(label: string, options?: { readonly fatal?: boolean }): Decoder {
  const table = TABLES.get(label);
  return table ? { decode: (bytes) => decoded(bytes, table) } : new TextDecoder(label, options);
}

/** The character of a byte above 127 in a DOS code page. */
export function dosCharacter(label: string, byte: number): string {
  return (UPPER_HALVES[label] as string).charAt(byte - 128);
}

function tableOf(upperHalf: string): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => (byte < 128 ? byte : upperHalf.charCodeAt(byte - 128)));
}

function decoded(bytes: Uint8Array, table: Uint16Array): string {
  const codes = new Uint8Array(bytes.length * 2);
  for (let i = 0; i < bytes.length; i++) {
    const code = table[bytes[i] as number] as number;
    codes[i * 2] = code & 0xff;
    codes[i * 2 + 1] = code >>> 8;
  }
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(codes);
}

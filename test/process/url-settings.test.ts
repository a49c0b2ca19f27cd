import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import JSON5 from 'json5';
import { validateSettings } from '../../src/config/settings.ts';
import { SettingsError } from '../../src/config/sources.ts';
import { anyText } from '../support/any-text.ts';
import { anyUrl } from '../support/users.ts';

const defaults = JSON5.parse(readFileSync(new URL('../../config/default.json5', import.meta.url), 'utf8'));
const withSetting = (name: 'publicUrl' | 'corsOrigins', value: string) =>
  validateSettings({ ...defaults, [name]: value });

describe('The settings', () => {
  describe('for the public URL', () => {
    const fit = {
      'https://例え.example': 'https://xn--r8jz45g.example',
      'HTTPS://Directory.Example:443/v1/': 'https://directory.example/v1',
      'http://a.example:8080/dir/../v1//': 'http://a.example:8080/v1',
      'https://a.example/Bücher/it\'s|"<>[x]^`{}':
        'https://a.example/B%C3%BCcher/it%27s%7C%22%3C%3E%5Bx%5D%5E%60%7B%7D',
      'https://a.example/%7Eusers;v=1': 'https://a.example/%7Eusers;v=1',
      'http://[::1]:3000': 'http://[::1]:3000',
      'http://users_service': 'http://users_service',
    };
    for (const [given, canonical] of Object.entries(fit))
      it(`make ${given} canonical`, () => {
        const { publicUrl } = withSetting('publicUrl', given);
        expect(publicUrl).to.equal(canonical);
        expect(withSetting('publicUrl', publicUrl).publicUrl).to.equal(canonical);
      });

    const unfit = [
      ...['http://[', 'https://a"><script>alert(1)</script>', 'https://a"b', 'https://a..b', 'https://a,b'],
      ...['https://user:password@a.example', 'https://user@a.example', 'https://@a.example'],
      ...['https://a.example/%zz', 'https://a.example/%', 'https://a.example?x', 'https://a.example/v1#x'],
      ...['https:/a.example', 'https:\\\\a.example', 'https://a.example\\v1', 'https://a.example:0'],
      ...[
        'https://a.example:65536',
        'ftp://a.example',
        'a.example',
        '//a.example',
        'https://',
        ' https://a.example',
      ],
      ...[
        'https://a.example\n',
        'https://a\t.example',
        'https://a.example/\u0000',
        `https://a.example/${'x'.repeat(2000)}`,
      ],
    ];
    for (const url of unfit)
      it(`refuse ${JSON.stringify(url).slice(0, 60)}`, () => {
        expect(() => withSetting('publicUrl', url)).to.throw(
          SettingsError,
          'publicUrl: must be empty or an http(s) URL',
        );
      });

    it('contain only characters that a header field and a URL allow', () => {
      fc.assert(
        fc.property(anyUrl, anyText(), (url, path) => {
          let canonical: string;
          try {
            canonical = withSetting('publicUrl', `${url.replace(/[?#].*/, '')}/${path}`).publicUrl;
          } catch (error) {
            return error instanceof SettingsError;
          }
          return /^https?:\/\/[!$&(-;=@A-Z_a-z~%[\]]+$/.test(canonical) && URL.canParse(canonical);
        }),
      );
    });
  });

  describe('for the origins of browser clients', () => {
    const fit = {
      'https://App.Example https://b.example:443/ http://c.example:80':
        'https://app.example https://b.example http://c.example',
      'https://例え.example:8443  http://localhost:5173 ':
        'https://xn--r8jz45g.example:8443 http://localhost:5173',
      'https://a.example https://A.example': 'https://a.example',
    };
    for (const [given, canonical] of Object.entries(fit))
      it(`turn ${given} into what browsers send`, () => {
        expect(withSetting('corsOrigins', given).corsOrigins).to.equal(canonical);
      });

    const unfit = [
      ...[
        '*',
        'null',
        'https://*.example',
        'https://*',
        'https://a.example/app',
        'https://a.example,https://b.example',
      ],
      ...[
        'https://user@a.example',
        'https://a.example?',
        'a.example',
        'https://a.example\nhttps://b.example',
        'https://[',
      ],
    ];
    for (const origins of unfit)
      it(`refuse ${JSON.stringify(origins)}, which no browser sends`, () => {
        const message = 'corsOrigins: must be origins such as https://app.example';
        expect(() => withSetting('corsOrigins', origins)).to.throw(SettingsError, message);
        expect(() => withSetting('corsOrigins', `https://b.example ${origins}`)).to.throw(
          SettingsError,
          message,
        );
      });
  });
});

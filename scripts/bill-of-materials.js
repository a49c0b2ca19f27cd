/**
 * The bill of materials (CycloneDX 1.6, JSON) of the bundle: what is in its files, not what was installed to make them. The same
 * sources give the same bytes, so it has neither a serial number nor a time.
 */
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import parseExpression from 'spdx-expression-parse';

const { ComponentBuilder } = Contrib.FromNodePackageJson.Builders;
const { ExternalReferenceFactory } = Contrib.FromNodePackageJson.Factories;
const components = new ComponentBuilder(
  new ExternalReferenceFactory(),
  new Contrib.License.Factories.LicenseFactory(parseExpression),
);

function componentOf(manifest, type) {
  const component = components.makeComponent(manifest, type);
  const { group, name, version } = component;
  component.purl = new PackageURL('npm', group, name, version).toString();
  component.bomRef.value = component.purl;
  return component;
}

/** @param {object} own the manifest of the project @param packages of bundledPackages @returns {string} the document */
export function billOfMaterials(own, packages) {
  const bom = new Models.Bom();
  bom.metadata.component = componentOf(own, Enums.ComponentType.Application);
  // Several folders may have the same version of a package.
  const libraries = new Map(
    packages.map(({ manifest }) => {
      const library = componentOf(manifest, Enums.ComponentType.Library);
      return [library.bomRef.value, library];
    }),
  );
  for (const library of libraries.values()) bom.components.add(library);
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

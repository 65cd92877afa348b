/* SPDX-License-Identifier: MIT */
/*
 * Scenes from glTF 2.0 files: .gltf with buffers beside it or inside it, or .glb.
 *
 * Read: triangles with POSITION, NORMAL and TEXCOORD_0; nodes with matrices or translation,
 * rotation and scale, a mesh in as many of them as one likes; base colours with PNG textures,
 * metalness, roughness, emission, double-sided materials; point and spot lights
 * (KHR_lights_punctual) as point lights; the first perspective camera. Not read: skins, morphs,
 * animations, other textures than those of base colours, sparse accessors, compressed meshes.
 */
#ifndef RD_GLTF_H
#define RD_GLTF_H

#include "log.h"
#include "scene.h"

/**
 * Fill in geometry and scene, which must be zero; release and finish them in either case.
 *
 * A scene much smaller or larger than a building is scaled to the size of one, because the shadows
 * and the haze are made for that. Without a camera the eye goes around the scene.
 *
 * @return false: the log says which file, which part of it, and what was expected there
 *
 * Threads: any.
 */
bool rd_gltf_load(const char *path, struct rd_geometry *geometry, struct rd_scene *scene,
                  struct rd_log *log);

#endif

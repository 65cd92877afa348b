/* SPDX-License-Identifier: MIT */
/* The view's volume in blocks, each with the lights that reach it. */

const uvec3 CLUSTERS = uvec3(16, 9, 16);
const uint CLUSTER_LIGHTS = 31;
const float CLUSTER_NEAR = 2.0;
const float CLUSTER_FAR = 64.0;

struct Cluster {
    uint count;
    uint lights[CLUSTER_LIGHTS];
};

/* Slice 0 begins at the eye; the others grow in proportion to their distance. */
float slice_begin(uint slice)
{
    return slice == 0u ? 0.0 : CLUSTER_NEAR * pow(CLUSTER_FAR / CLUSTER_NEAR, float(slice - 1u) / float(CLUSTERS.z - 1u));
}

uint slice_of(float distance_m)
{
    float s = log2(max(distance_m, 1e-3) / CLUSTER_NEAR) / log2(CLUSTER_FAR / CLUSTER_NEAR) * float(CLUSTERS.z - 1u);
    return uint(clamp(floor(s) + 1.0, 0.0, float(CLUSTERS.z - 1u)));
}

uint cluster_index(uvec3 at)
{
    return (at.z * CLUSTERS.y + at.y) * CLUSTERS.x + at.x;
}

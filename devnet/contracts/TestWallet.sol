// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @notice A smart wallet (EIP-1271) with one owner, and a switch that makes it as hostile as a wallet can be:
///         asked about a signature, it burns all the gas it was given.
contract TestWallet {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;

    address public immutable owner;
    bool public burnsGas;

    constructor(address walletOwner) {
        owner = walletOwner;
    }

    receive() external payable {}

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (burnsGas) {
            assembly {
                invalid()
            }
        }
        if (signature.length != 65) return INVALID;
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == owner ? VALID : INVALID;
    }

    function burnGas(bool burn) external {
        burnsGas = burn;
    }

    function execute(address target, bytes calldata data) external payable returns (bytes memory) {
        require(msg.sender == owner, "TestWallet: not the owner");
        (bool success, bytes memory answer) = target.call{value: msg.value}(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }
}
